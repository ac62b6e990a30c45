namespace Mux.TestSupport.EndToEnd;

/// <summary>What the process has on its managed heap, arrays that wait in pools included.</summary>
public static class ManagedMemory
{
    /// <summary>After everything that can be collected was, what finalizers let go included.</summary>
    public static long Read()
    {
        for (int i = 0; i < 2; i++)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
            GC.WaitForPendingFinalizers();
        }

        return GC.GetTotalMemory(forceFullCollection: true);
    }
}
