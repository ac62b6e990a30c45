using Mux.Engine;
using Mux.Runtime;

namespace Mux.TestSupport.Connections;

/// <summary>A consumer of a stream that remembers what it is told and takes items when the test says.</summary>
internal sealed class ProbeItems : IInboundItems
{
    private readonly Queue<int> _costs = new();
    private bool _isListed;

    public InboundWindow? Window { get; private set; }

    /// <summary>The call may be sent again while no item has come.</summary>
    public bool MayBeginAgain { get; set; }

    /// <summary>Items that came, in order.</summary>
    public List<byte[]> Bodies { get; } = [];

    /// <summary>The window in items that it was told of.</summary>
    public int? ItemWindow { get; private set; }

    /// <summary>What each cost.</summary>
    public List<int> Costs { get; } = [];

    /// <summary>Of <see cref="Bodies"/>, how many the consumer has taken.</summary>
    public int Taken => Bodies.Count - _costs.Count;

    /// <summary>Of <see cref="Bodies"/>, how many a consumer could see.</summary>
    public int Published { get; private set; }

    /// <summary>Whether it was told in the turn, the last time.</summary>
    public bool InTurn { get; private set; }

    public bool IsEnded { get; private set; }

    public CallFailure? Failure { get; private set; }

    public bool IsAborted { get; private set; }

    public Action? OnPublished { get; set; }

    public void Begin(InboundWindow window)
    {
        Assert.True(Window is null || MayBeginAgain, "A stream began twice.");
        Window = window;
    }

    public void OnItemWindow(int items) => ItemWindow = items;

    public bool OnItem(ReadOnlySpan<byte> body, int cost)
    {
        Assert.False(IsEnded, "An item came behind the end.");
        Bodies.Add(body.ToArray());
        Costs.Add(cost);
        _costs.Enqueue(cost);
        if (_isListed) return false;
        return _isListed = true;
    }

    public void Publish(Turn? turn)
    {
        Assert.True(_isListed, "Nothing was to be published.");
        _isListed = false;
        InTurn = turn is not null;
        Published = Bodies.Count;
        OnPublished?.Invoke();
    }

    public void OnEnd(CallFailure? failure, Turn? turn)
    {
        Assert.False(IsEnded, "A stream ended twice.");
        (IsEnded, Failure) = (true, failure);
    }

    public void Abort() => IsAborted = true;

    /// <summary>The consumer takes the items that came and were not taken, one after the other.</summary>
    public void Take(int count = int.MaxValue)
    {
        while (count-- > 0 && _costs.TryDequeue(out int cost)) Window!.OnTaken(cost);
    }
}
