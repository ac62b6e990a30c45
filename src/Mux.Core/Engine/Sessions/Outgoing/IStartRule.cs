namespace Mux.Engine;

/// <summary>What a connection asks before it takes a call. Rules are structs, so calls without a rule pay for none.</summary>
internal interface IStartRule
{
    /// <summary>True if the call may start. Under the lock of the connection.</summary>
    /// <param name="waiting">The calls that wait there.</param>
    bool Allows(CallQueue waiting);

    /// <summary>True if the connection only appends the request: its caller flushes the connection afterwards.</summary>
    bool IsSentLater { get; }

    /// <summary>Allows each call.</summary>
    readonly struct None : IStartRule
    {
        public bool Allows(CallQueue waiting) => true;

        public bool IsSentLater => false;
    }

    /// <summary>Allows each call, and leaves the send to its caller.</summary>
    readonly struct SentLater : IStartRule
    {
        public bool Allows(CallQueue waiting) => true;

        public bool IsSentLater => true;
    }
}
