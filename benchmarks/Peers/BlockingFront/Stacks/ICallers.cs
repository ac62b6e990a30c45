namespace BlockingFront.Stacks;

/// <summary>A client of a front. Safe for concurrent use.</summary>
internal interface ICallers : IAsyncDisposable
{
    ValueTask<int> CallAsync(int number);
}
