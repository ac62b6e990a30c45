using Mux.Tool.Load;

namespace Mux.Tool.Reporting;

/// <summary>For <c>--quiet</c>.</summary>
internal sealed class NoProgress : IProgressDisplay
{
    public Task<BenchOutcome> ShowAsync(Func<Action<ProgressSample>, Task<BenchOutcome>> run) => run(_ => { });
}
