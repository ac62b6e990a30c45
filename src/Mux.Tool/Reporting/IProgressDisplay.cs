using Mux.Tool.Load;

namespace Mux.Tool.Reporting;

/// <summary>Shows how a run goes on while it does.</summary>
internal interface IProgressDisplay
{
    /// <summary>Runs it. What it reports, in one place at a time, is shown until it returns.</summary>
    Task<BenchOutcome> ShowAsync(Func<Action<ProgressSample>, Task<BenchOutcome>> run);
}
