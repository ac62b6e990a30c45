using Mux.Tests.Contracts;

namespace Mux.Tests.Server;

/// <summary>Answers at once.</summary>
internal sealed class PromptDesk : IDesk
{
    public ValueTask<Answer> AskPlainly(Question question) => new(new Answer { Id = question.Id });

    public ValueTask<Answer> Ask(Question question, CancellationToken cancellationToken) => AskPlainly(question);

    public ValueTask<Answer> AskOnPool(Question question, CancellationToken cancellationToken) => AskPlainly(question);

    public ValueTask<Answer> AskInline(Question question, CancellationToken cancellationToken) => AskPlainly(question);

    public ValueTask Tell(Question question, CancellationToken cancellationToken) => default;
}
