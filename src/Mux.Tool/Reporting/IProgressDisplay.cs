using Mux.Tool.Load;

namespace Mux.Tool.Reporting;

/// <summary>Shows the progress of a run.</summary>
internal interface IProgressDisplay
{
    /// <summary>Runs it, and shows its reports until it returns. Reports come from one thread at a time.</summary>
    Task<BenchOutcome> ShowAsync(Func<Action<ProgressSample>, Task<BenchOutcome>> run);
}
