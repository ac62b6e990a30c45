using System.Globalization;

namespace Evidence.Memory;

/// <summary>What a process has in memory, as the system says.</summary>
internal sealed class ResidentMemory(int processId)
{
    /// <summary>MiB that it had at most since the last <see cref="Restart"/>.</summary>
    public long Peak { get; private set; }

    /// <summary>MiB now.</summary>
    public long Read()
    {
        var line = File.ReadLines($"/proc/{processId}/status").First(line => line.StartsWith("VmRSS:", StringComparison.Ordinal));
        long now = long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture) / 1024;
        Peak = Math.Max(Peak, now);
        return now;
    }

    public void Restart() => Peak = 0;

    /// <summary>Looks ten times a second for so long.</summary>
    public async Task WatchAsync(TimeSpan time)
    {
        long end = Environment.TickCount64 + (long)time.TotalMilliseconds;
        while (Environment.TickCount64 < end)
        {
            Read();
            await Task.Delay(100);
        }
    }

    /// <summary>Looks ten times a second until something has ended.</summary>
    public async Task WatchAsync(Task task)
    {
        while (!task.IsCompleted) await Task.WhenAny(task, WatchAsync(TimeSpan.FromMilliseconds(100)));
        await task;
    }
}
