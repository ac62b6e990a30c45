namespace Mux.Engine;

/// <summary>Counts the requests of one connection that need a place of the server's handlers.</summary>
internal interface ICountsRequests
{
    /// <summary>Number of requests that run or are about to, and are not answered. Never too low. Any thread.</summary>
    int RunningCount { get; }
}
