namespace Mux.Engine;

/// <summary>What became of a call that came to its key.</summary>
internal enum KeyEntry
{
    /// <summary>It has the key, and may run.</summary>
    Runs,

    /// <summary>Another call has the key. This one waits behind it, if it was one that can wait.</summary>
    Waits,

    /// <summary>As many calls as allowed have come for the key.</summary>
    KeyIsFull,

    /// <summary>As many keys as allowed have calls.</summary>
    TooManyKeys,

    /// <summary>It was over before it came.</summary>
    Over,
}
