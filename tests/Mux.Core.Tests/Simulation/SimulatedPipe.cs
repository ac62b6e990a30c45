namespace Mux.Core.Tests.Simulation;

/// <summary>Bytes on their way in one direction. What the sender's link accepted is here until it is delivered or lost.</summary>
internal sealed class SimulatedPipe(WireObserver observer)
{
    private readonly Queue<byte> _inFlight = new();

    /// <summary>Bytes that fit before the sender's link refuses.</summary>
    public int Capacity { get; set; } = int.MaxValue;

    public int InFlight => _inFlight.Count;

    public bool HasRoom => InFlight < Capacity;

    /// <summary>The sender ended its direction in order.</summary>
    public bool IsEnded { get; set; }

    /// <summary>The pipe broke: nothing goes in any more, and what is still in it may arrive.</summary>
    public bool IsBroken { get; private set; }

    public int Accept(ReadOnlySpan<byte> bytes)
    {
        if (IsBroken) return bytes.Length;
        int count = Math.Min(bytes.Length, Math.Max(0, Capacity - InFlight));
        foreach (byte b in bytes[..count]) _inFlight.Enqueue(b);
        observer.OnSent(bytes[..count]);
        return count;
    }

    public byte[] Take(int count)
    {
        var bytes = new byte[count];
        for (int i = 0; i < count; i++) bytes[i] = _inFlight.Dequeue();
        return bytes;
    }

    /// <summary>Breaks the pipe; of what is on its way, <paramref name="arriving"/> bytes still arrive.</summary>
    public void Break(int arriving)
    {
        IsBroken = true;
        var kept = Take(arriving);
        _inFlight.Clear();
        foreach (byte b in kept) _inFlight.Enqueue(b);
    }
}
