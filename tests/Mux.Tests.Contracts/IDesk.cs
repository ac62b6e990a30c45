namespace Mux.Tests.Contracts;

/// <summary>The contract of most tests: answers questions as the test wants.</summary>
[MuxService("test.Desk")]
public interface IDesk
{
    /// <summary>Its handler gets a token.</summary>
    ValueTask<Answer> Ask(Question question, CancellationToken cancellationToken = default);

    /// <summary>Its handler gets none.</summary>
    ValueTask<Answer> AskPlainly(Question question);

    [MuxMethod(Dispatch = MuxDispatchMode.Pool)]
    ValueTask<Answer> AskOnPool(Question question, CancellationToken cancellationToken = default);

    [MuxMethod(Dispatch = MuxDispatchMode.Inline)]
    ValueTask<Answer> AskInline(Question question, CancellationToken cancellationToken = default);

    [MuxMethod(OneWay = true)]
    ValueTask Tell(Question question, CancellationToken cancellationToken = default);
}
