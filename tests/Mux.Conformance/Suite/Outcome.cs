using Mux.Conformance.Contract;

namespace Mux.Conformance.Suite;

/// <summary>What a caller saw of one call: the replies that came, and how it ended.</summary>
public sealed record Outcome(IReadOnlyList<Payload> Items, Exception? Error)
{
    public IEnumerable<int> Numbers => Items.Select(item => item.Number);

    /// <summary>The call went well.</summary>
    public IReadOnlyList<Payload> Succeeded()
    {
        Assert.Null(Error);
        return Items;
    }

    /// <summary>The call ended with this status.</summary>
    public MuxException Failed(MuxStatus status)
    {
        var error = Assert.IsType<MuxException>(Error);
        Assert.True(status == error.Status, $"{status} was expected of {error}");
        return error;
    }

    /// <summary>The call ended because its caller's token fired.</summary>
    public void Cancelled(CancellationToken token) => Assert.Equal(token, Assert.IsAssignableFrom<OperationCanceledException>(Error).CancellationToken);
}
