namespace Mux.Backplanes;

/// <summary>Whether the servers of a backplane reach each other, as one of them knows it.</summary>
public enum BackplaneState
{
    /// <summary>The first connection is being made. Messages are taken, and wait for it.</summary>
    Connecting = 0,

    /// <summary>Messages go to all servers.</summary>
    Connected = 1,

    /// <summary>Messages are not taken: what is published or called at a server reaches the subscribers and group members of that server alone. It ends by
    /// itself.</summary>
    Interrupted = 2,
}
