namespace Seeds.Serving;

/// <summary>What this process has in use.</summary>
internal static class ProcessMemory
{
    /// <summary>Managed bytes after everything that can be collected was, what finalizers let go included.</summary>
    public static long ReadManaged()
    {
        for (int i = 0; i < 2; i++)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
            GC.WaitForPendingFinalizers();
        }

        return GC.GetTotalMemory(forceFullCollection: true);
    }
}
