namespace Mux.Runtime;

/// <summary>Accounts for memory that a peer makes this side hold for its connection. Thread-safe; no member calls out.</summary>
internal interface IHeldMemory
{
    /// <summary>True if the connection holds memory and should hold no more now. Exact up to concurrent changes.</summary>
    bool IsShort { get; }

    /// <summary>Adds bytes, even beyond the limit: their holder already exists.</summary>
    void Take(long bytes);

    /// <summary>Subtracts bytes.</summary>
    void Release(long bytes);
}
