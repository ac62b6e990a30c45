namespace Mux.Sessions.Budgets;

/// <summary>Counts the open requests of one connection.</summary>
internal interface ICountsRequests
{
    /// <summary>Number of requests that are not answered. Never too low. Any thread.</summary>
    int OpenCount { get; }
}
