namespace Mux.Tool.Load;

/// <summary>Makes one call at a time and checks each reply. The token decides what to call, its pace decides when.</summary>
internal abstract class CallToken(CallPace pace)
{
    /// <summary>True if its call has no outcome yet.</summary>
    public bool IsOpen => pace.IsOpen;

    /// <summary>Number of calls made so far.</summary>
    public long Made => pace.Made;

    protected CallPace Pace => pace;

    /// <summary>Makes each call of the pace, and reports it to <see cref="CallPace.End"/> or <see cref="CallPace.FailAsync"/>.</summary>
    public abstract Task MakeCallsAsync();
}
