using Mux.Tool.Load;

namespace Mux.Tool.Tests.Load;

/// <summary>A token whose calls are answered before they are awaited.</summary>
internal sealed class ImmediateToken(CallPace pace) : CallToken(pace)
{
    public override async Task MakeCallsAsync()
    {
        while (await Pace.NextAsync()) Pace.End(isRight: true);
    }
}
