namespace Mux.Tests.Groups;

/// <summary>What members of groups serve.</summary>
[MuxService("test.Heard")]
public interface IHeard
{
    [MuxMethod(OneWay = true)]
    ValueTask Say(int number);

    [MuxMethod(OneWay = true)]
    ValueTask Show(int number, byte[] picture);

    [MuxMethod(OneWay = true)]
    ValueTask Tell(string text, MuxCallOptions? options = null);

    ValueTask<int> Ask(int number, CancellationToken cancellationToken = default);

    IAsyncEnumerable<int> Count(int last, CancellationToken cancellationToken = default);

    ValueTask<int> Sum(IAsyncEnumerable<int> numbers, CancellationToken cancellationToken = default);
}
