namespace Mux.TestSupport.Transports;

/// <summary>Waiting with an end: what does not come in time fails the test and says what it was.</summary>
public static class Awaited
{
    /// <summary>Long enough for a loaded machine, short enough for a person who broke something.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    /// <exception cref="TimeoutException">It did not complete in time; the message names it.</exception>
    public static Task Within(this Task task, string what) => task.Within(what, Patience);

    /// <exception cref="TimeoutException">It did not complete in time; the message names it.</exception>
    public static async Task Within(this Task task, string what, TimeSpan patience)
    {
        try
        {
            await task.WaitAsync(patience);
        }
        catch (TimeoutException) when (!task.IsCompleted)
        {
            throw new TimeoutException($"Waited {patience.TotalSeconds:F0} s for: {what}.");
        }
    }

    /// <exception cref="TimeoutException">It did not complete in time; the message names it.</exception>
    public static Task<T> Within<T>(this Task<T> task, string what) => task.Within(what, Patience);

    /// <exception cref="TimeoutException">It did not complete in time; the message names it.</exception>
    public static async Task<T> Within<T>(this Task<T> task, string what, TimeSpan patience)
    {
        await ((Task)task).Within(what, patience);
        return await task;
    }
}
