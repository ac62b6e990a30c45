namespace Mux.Execution;

/// <summary>The time in which the deadlines of work count. It may be the user's code: it is read under no lock.</summary>
internal interface IWorkClock
{
    /// <summary>Microseconds since an arbitrary start.</summary>
    long Now { get; }
}
