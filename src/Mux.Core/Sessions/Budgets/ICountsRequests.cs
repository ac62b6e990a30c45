namespace Mux.Sessions.Budgets;

/// <summary>Who answers the requests of one connection.</summary>
internal interface ICountsRequests
{
    /// <summary>Those that are not answered; never too low. Any thread.</summary>
    int OpenCount { get; }
}
