namespace Mux.Tool.Load;

/// <summary>One call at a time, each checked. What is called is the token's business, when is its pace's.</summary>
internal abstract class CallToken(CallPace pace)
{
    /// <summary>Whether its call has neither been answered nor failed.</summary>
    public bool IsOpen => pace.IsOpen;

    /// <summary>Calls made so far.</summary>
    public long Made => pace.Made;

    protected CallPace Pace => pace;

    /// <summary>For each call of the pace: makes it, and reports it to <see cref="CallPace.End"/> or <see cref="CallPace.FailAsync"/>.</summary>
    public abstract Task MakeCallsAsync();
}
