namespace Mux.Runtime;

/// <summary>The clock of deadlines of work. It may be user code, so it is read without a lock.</summary>
internal interface IWorkClock
{
    /// <summary>Microseconds since an arbitrary start.</summary>
    long Now { get; }
}
