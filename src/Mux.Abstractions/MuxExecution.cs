namespace Mux;

/// <summary>Tells whether the handler of a failed call ran. If it did not run, the call can safely be sent again.</summary>
public enum MuxExecution
{
    /// <summary>No handler was started for this call; sending it again cannot make it run twice. Only the runtime reports this value.</summary>
    NotExecuted = 0,

    /// <summary>At least one byte of the request was passed to the operating system and no reply arrived: the handler may have run.</summary>
    MayHaveExecuted = 1,

    /// <summary>The handler was started.</summary>
    Executed = 2,
}
