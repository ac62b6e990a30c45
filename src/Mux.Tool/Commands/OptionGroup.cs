namespace Mux.Tool.Commands;

/// <summary>Groups of options in a help text, in their order.</summary>
internal enum OptionGroup
{
    /// <summary>Whom a command plays, and where it listens.</summary>
    Role,

    /// <summary>Faults of <c>mux chaos</c>.</summary>
    Faults,

    /// <summary>Which connections have them, and when.</summary>
    Occurrence,

    /// <summary>Cases of <c>mux spec</c>.</summary>
    Cases,

    /// <summary>Where contracts are read from and recorded, and what may not break.</summary>
    Contracts,

    /// <summary>How many calls, how fast, how long.</summary>
    Load,

    /// <summary>What each call is.</summary>
    Calls,

    /// <summary>Options of some workloads only.</summary>
    Streams,

    /// <summary>What is printed and written.</summary>
    Results,

    /// <summary>Limits and handlers of a server.</summary>
    Server,

    /// <summary>How the bytes travel.</summary>
    Connections,

    /// <summary>Credentials.</summary>
    Identity,
}
