using Mux.Filters;

namespace Mux.Tests.Filters;

/// <summary>A filter that does what the test wants.</summary>
internal sealed class FilterOf(Func<MuxCall, MuxNext, ValueTask> run) : MuxFilter
{
    public override ValueTask RunAsync(MuxCall call, MuxNext next) => run(call, next);
}
