namespace Mux;

/// <summary>What is known about whether a failed call ran: the answer to "may I send it again?".</summary>
public enum MuxExecution
{
    /// <summary>No handler was started for this call; sending it again cannot make it run twice. Only the runtime says this.</summary>
    NotExecuted = 0,

    /// <summary>At least one byte of the request was handed to the operating system and no reply came: it may have run.</summary>
    MayHaveExecuted = 1,

    /// <summary>The handler was started.</summary>
    Executed = 2,
}
