namespace Mux.Buffers;

/// <summary>Where a connection accounts for the memory that its peer makes this side hold. Safe for concurrent use; no member calls anything.</summary>
internal interface IHeldMemory
{
    /// <summary>Whether the connection holds some, and should hold no more now. Right up to what others take meanwhile.</summary>
    bool IsShort { get; }

    /// <summary>Takes bytes whether there is room or not: what holds them is there already.</summary>
    void Take(long bytes);

    /// <summary>Gives bytes back.</summary>
    void Release(long bytes);
}
