using Mux.Filters;

namespace Mux.Walk.Tests.Plays;

/// <summary>A filter that does nothing, so that what it costs is the engine's.</summary>
internal sealed class PassingFilter : MuxFilter
{
    public override ValueTask RunAsync(MuxCall call, MuxNext next) => next.RunAsync(call);
}
