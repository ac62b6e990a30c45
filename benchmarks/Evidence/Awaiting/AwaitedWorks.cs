namespace Evidence.Awaiting;

/// <summary>Which member of <see cref="IAwaiter"/> does which work: called through a proxy, or on the service itself.</summary>
internal static class AwaitedWorks
{
    public static ValueTask<int> RunAsync(this AwaitedWork work, IAwaiter awaiter, int number) => work switch
    {
        AwaitedWork.Yield => awaiter.Yield(number),
        AwaitedWork.RoundTrip => awaiter.RoundTrip(number),
        _ => awaiter.Nothing(number),
    };
}
