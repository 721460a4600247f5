package memory

// unit is how the value of a measure is written and compared.
type unit uint8

const (
	unitShare unit = iota // [0,1], compared by the difference
	unitCount             // 0 and more, compared by the difference as a share of the greater
)

// wording has the texts of a measure. title, statement and question have one %s each for the subject. The value of a
// finding follows statement, and statementEnd follows the value.
type wording struct {
	topic           Topic
	unit            unit
	minObservations uint32 // observations that a statement requires; 0: it depends on how careful the agent is
	title           string
	statement       string
	statementEnd    string
	question        string
}

var wordings = [measures + 1]wording{
	MeasureReward:    {TopicBounties, unitCount, 0, "What bounties of difficulty %s offer", "Bounties of difficulty %s offer ", " Spark each", "How much do bounties of difficulty %s offer?"},
	MeasureTaken:     {TopicBounties, unitCount, 0, "How fast bounties of difficulty %s are taken", "A bounty of difficulty %s is claimed after ", " ticks", "How long does a bounty of difficulty %s stay free?"},
	MeasureEnds:      {TopicBounties, unitShare, 0, "How bounties of difficulty %s end", "Of the bounties of difficulty %s a share of ", " is delivered and paid, the others come back or expire", "How many bounties of difficulty %s are ever paid?"},
	MeasureKeeps:     {TopicPromises, unitShare, 2, "How %s keeps its promises", "Agent %s keeps a share of ", " of its promises: claims delivered, reviews done", "Does %s keep its promises?"},
	MeasureDelivers:  {TopicPromises, unitShare, 2, "How deliveries of %s fare", "Of the deliveries of agent %s a share of ", " passes the checks and the reviewers", "Does what %s delivers pass its checks?"},
	MeasurePace:      {TopicPromises, unitCount, 2, "How fast %s delivers", "From claim to payment agent %s takes ", " ticks", "How long does %s take to deliver a bounty?"},
	MeasureChannel:   {TopicTalk, unitCount, 0, "How fast #%s answers", "A question in #%s gets an answer after ", " ticks", "How long does one wait for an answer in #%s?"},
	MeasureAsked:     {TopicTalk, unitShare, 0, "What #%s is used for", "Of the messages in #%s a share of ", " are questions", "Is #%s a place to ask in?"},
	MeasureLook:      {TopicTalk, unitCount, 0, "What a look at #%s brings", "A look at #%s shows ", " messages that I had not read", "Is it worth looking into #%s often?"},
	MeasureAnswers:   {TopicTalk, unitCount, 0, "How fast %s answers", "Agent %s answers a question after ", " ticks", "How fast does %s answer?"},
	MeasureHelps:     {TopicTalk, unitShare, 0, "What %s writes", "Of what agent %s writes a share of ", " are answers to others", "Does %s answer others or talk of itself?"},
	MeasureAuthor:    {TopicVerdicts, unitShare, 0, "How right the entries of %s are", "Of the verdicts on entries of agent %s a share of ", " find them accurate", "Can one rely on the entries of %s?"},
	MeasureGenre:     {TopicVerdicts, unitShare, 0, "How right entries of kind %s are", "Of the verdicts on entries of kind %s a share of ", " find them accurate", "Are entries of kind %s mostly right?"},
	MeasureJudge:     {TopicVerdicts, unitShare, 0, "How %s judges", "Of the verdicts of agent %s a share of ", " are ACCURATE", "Is %s a strict judge of entries?"},
	MeasureStanding:  {TopicStanding, unitShare, 0, "How %s stands", "The reputation of agent %s is ", "", "What is the reputation of %s?"},
	MeasureKind:      {TopicStanding, unitShare, 0, "How %s takes the words of others", "Of the signals of agent %s a share of ", " approve", "Does %s approve of what others write?"},
	MeasureWelcome:   {TopicStanding, unitShare, 0, "How messages of kind %s are received", "Of the signals to messages of kind %s a share of ", " approve", "Are messages of kind %s welcome?"},
	MeasureReviewer:  {TopicReviews, unitShare, 0, "How %s reviews", "Of the reviews of agent %s a share of ", " approve", "Does %s approve what it reviews?"},
	MeasureSteps:     {TopicPrograms, unitCount, 1, "What program %s costs", "A run of program %s costs ", " forge ticks", "How many forge ticks does program %s cost?"},
	MeasureDependent: {TopicLibraries, unitCount, 1, "Who builds on %s", "The repo %s is built upon by ", " others", "Does anybody build on %s?"},
	MeasurePays:      {TopicBounties, unitCount, 0, "What bounties of %s pay", "Bounties set by %s offer ", " Spark each", "How much does %s pay for work?"},
	MeasureEarns:     {TopicPromises, unitCount, 0, "What bounties bring %s", "A bounty that agent %s delivers brings it ", " Spark", "How much does a bounty bring %s?"},
	MeasureDemand:    {TopicTalk, unitShare, 0, "How much is asked about %s", "Questions about %s are a share of ", " of all questions", "Is much asked about %s?"},
	MeasureSolved:    {TopicTalk, unitCount, 0, "How soon questions about %s are answered", "A question about %s gets its first answer after ", " ticks", "How soon is a question about %s answered?"},
	MeasureField:     {TopicVerdicts, unitShare, 0, "How right entries about %s are", "Of the verdicts on entries about %s a share of ", " find them accurate", "Are entries about %s mostly right?"},
	MeasureJudged:    {TopicVerdicts, unitCount, 0, "How soon entries about %s are judged", "An entry about %s gets its first verdict after ", " ticks", "How long does an entry about %s wait for a verdict?"},
	MeasureVersed:    {TopicStanding, unitShare, 0, "What the word of %s is worth", "Of the verdicts on what is written by %s a share of ", " find it accurate", "What is the word of %s worth?"},
	MeasureSleeps:    {TopicPromises, unitShare, 0, "Why %s falls asleep", "Of the times that agent %s fell asleep a share of ", " were for want of Spark", "Does %s sleep because it is poor?"},
	MeasureWakes:     {TopicTalk, unitShare, 0, "What wakes %s", "Of the times that agent %s woke a share of ", " were at the word of another", "Does %s wake when it is called?"},
	MeasureRefused:   {TopicRules, unitShare, 0, "How often %s is refused", "Of the tries of %s a share of ", " is refused", "Is %s often refused?"},

	MeasureEraVerdicts: {TopicVerdicts, unitShare, 0, "How right entries were in %s", "Of the verdicts in %s a share of ", " found the entry accurate", "Were entries mostly right in %s?"},
	MeasureEraField:    {TopicVerdicts, unitShare, 0, "How right entries about %s were", "Of the verdicts on entries about %s a share of ", " found them accurate", "Were entries about %s mostly right?"},
	MeasureEraAnswers:  {TopicTalk, unitCount, 0, "How soon questions were answered in %s", "An answer that came in %s had taken ", " ticks", "How soon was one answered in %s?"},
	MeasureEraPay:      {TopicBounties, unitCount, 0, "What bounties offered in %s", "Bounties set in %s offered ", " Spark each", "How much did bounties offer in %s?"},
	MeasureEraTaken:    {TopicBounties, unitCount, 0, "How fast bounties were taken in %s", "A bounty claimed in %s had been free for ", " ticks", "How long did bounties stay free in %s?"},
	MeasureEraEnds:     {TopicPromises, unitShare, 0, "How bounties ended in %s", "Of the bounties that ended in %s a share of ", " was delivered and paid", "How many bounties were paid in %s?"},
	MeasureEraAsked:    {TopicTalk, unitShare, 0, "What was written in %s", "Of the messages in %s a share of ", " were questions", "Was much asked in %s?"},
	MeasureEraReviews:  {TopicReviews, unitShare, 0, "How reviews went in %s", "Of the reviews in %s a share of ", " approved", "Did reviewers approve in %s?"},
	MeasureEraSleeps:   {TopicStanding, unitShare, 0, "Who was poor in %s", "Of those who fell asleep in %s a share of ", " did so for want of Spark", "Were many poor in %s?"},
	MeasureEraRefused:  {TopicRules, unitShare, 0, "What was refused in %s", "Of the tries in %s a share of ", " was refused", "Was much refused in %s?"},
	MeasureEraAuthor:   {TopicVerdicts, unitShare, 0, "How right the entries of %s were", "Among the verdicts on the entries of %s a share of ", " found them accurate", "Were the entries of %s mostly right?"},
	MeasureEraJudge:    {TopicReviews, unitShare, 0, "How %s judged", "Among the verdicts of %s a share of ", " was ACCURATE", "Was %s a strict judge of entries?"},
	MeasureEraGenre:    {TopicVerdicts, unitShare, 0, "How right entries of kind %s were", "Of the verdicts on entries of kind %s a share of ", " found them accurate", "Were entries of kind %s mostly right?"},
	MeasureEraChannel:  {TopicTalk, unitShare, 0, "What #%s was used for", "In #%s a share of ", " of the messages were questions", "Was #%s a place to ask in?"},
	MeasureEraBuilt:    {TopicLibraries, unitCount, 0, "What was built upon in %s", "A repo that was built upon in %s had ", " dependents", "Was much built upon in %s?"},

	MeasurePattern: {0, unitShare, 0, "Starlark pattern: %s", "", "", "What is the right way to write %s in Starlark?"},
}
