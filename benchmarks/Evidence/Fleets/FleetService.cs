using Evidence.Restarts;

namespace Evidence.Fleets;

/// <param name="number">Of the server.</param>
/// <param name="log">Of its executions, or null.</param>
/// <param name="behind">The servers behind it, or null.</param>
internal sealed class FleetService(int number, ExecutionLog? log, IFleet? behind) : IFleet
{
    public ValueTask<int> Who() => new(number);

    public async ValueTask<int> Hold(int milliseconds)
    {
        await Task.Delay(milliseconds);
        return number;
    }

    public ValueTask<int> Enter(int number, bool fails)
    {
        log?.Note(number);
        return fails ? throw new MuxException(MuxStatus.Unavailable, "This server fails everything.") : new(number);
    }

    public async ValueTask<int> Relay(int number, bool fails)
    {
        log?.Note(number);
        try
        {
            return await behind!.Enter(number, fails);
        }
        catch (MuxException error) when (error.Status == MuxStatus.Unavailable)
        {
            throw new MuxException(MuxStatus.Unavailable, "The servers behind fail.", error); // as services do that cannot do without them
        }
    }
}
