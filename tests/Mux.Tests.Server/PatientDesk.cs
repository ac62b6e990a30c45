using Mux.Tests.Contracts;

namespace Mux.Tests.Server;

/// <summary>Answers questions with their id, and those with a negative one never.</summary>
internal sealed class PatientDesk : IDesk
{
    private static readonly Task<Answer> s_never = new TaskCompletionSource<Answer>().Task;

    public ValueTask<Answer> AskPlainly(Question question) => question.Id < 0 ? new(s_never) : new(new Answer { Id = question.Id });

    public ValueTask<Answer> Ask(Question question, CancellationToken cancellationToken) => AskPlainly(question);

    public ValueTask<Answer> AskOnPool(Question question, CancellationToken cancellationToken) => AskPlainly(question);

    public ValueTask<Answer> AskInline(Question question, CancellationToken cancellationToken) => AskPlainly(question);

    public ValueTask Tell(Question question, CancellationToken cancellationToken) => default;
}
