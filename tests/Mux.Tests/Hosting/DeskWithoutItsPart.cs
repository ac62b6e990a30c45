using Mux.Tests.Contracts;

namespace Mux.Tests.Hosting;

/// <summary>A service with a part that nobody has registered.</summary>
internal sealed class DeskWithoutItsPart(Stream part) : IDesk
{
    public ValueTask<Answer> Ask(Question question, CancellationToken cancellationToken) => new(new Answer { Id = (int)part.Length });

    public ValueTask<Answer> AskPlainly(Question question) => Ask(question, default);

    public ValueTask<Answer> AskOnPool(Question question, CancellationToken cancellationToken) => Ask(question, cancellationToken);

    public ValueTask<Answer> AskInline(Question question, CancellationToken cancellationToken) => Ask(question, cancellationToken);

    public ValueTask Tell(Question question, CancellationToken cancellationToken) => default;
}
