namespace Mux.Tests.Groups;

/// <summary>What members of groups serve.</summary>
[MuxService("test.Heard")]
public interface IHeard
{
#pragma warning disable MUX0066 // no handler waits for the end of a one-way call
    /// <summary>Serial: calls arrive in order, and handlers of another mode overlap where the machine is busy.</summary>
    [MuxMethod(OneWay = true, Dispatch = MuxDispatchMode.Serial)]
    ValueTask Say(int number);

    /// <inheritdoc cref="Say"/>
    [MuxMethod(OneWay = true, Dispatch = MuxDispatchMode.Serial)]
    ValueTask Show(int number, byte[] picture);
#pragma warning restore MUX0066

    [MuxMethod(OneWay = true)]
    ValueTask Tell(string text, MuxCallOptions? options = null);

    ValueTask<int> Ask(int number, CancellationToken cancellationToken = default);

    IAsyncEnumerable<int> Count(int last, CancellationToken cancellationToken = default);

    ValueTask<int> Sum(IAsyncEnumerable<int> numbers, CancellationToken cancellationToken = default);
}
