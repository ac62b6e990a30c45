namespace Evidence.Serving;

/// <summary>Looks at the own process.</summary>
internal sealed class ServerMemoryService : IServerMemory
{
    public ValueTask<ServerMemory> ReadAsync()
    {
        for (int i = 0; i < 2; i++) // what finalizers let go goes in the second
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
            GC.WaitForPendingFinalizers();
        }

        return new(new ServerMemory { Managed = GC.GetTotalMemory(forceFullCollection: false), Resident = Environment.WorkingSet });
    }
}
