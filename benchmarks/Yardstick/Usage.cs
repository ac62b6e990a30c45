using System.Globalization;

namespace Yardstick;

/// <param name="CpuMicroseconds">Time on a CPU, user and system.</param>
/// <param name="AllocatedBytes">Managed memory allocated.</param>
internal readonly record struct Usage(double CpuMicroseconds, long AllocatedBytes)
{
    public static Usage Read() => new(Environment.CpuUsage.TotalTime.TotalMicroseconds, GC.GetTotalAllocatedBytes());

    public static Usage operator -(Usage later, Usage earlier) => new(later.CpuMicroseconds - earlier.CpuMicroseconds, later.AllocatedBytes - earlier.AllocatedBytes);

    public static Usage Parse(string text)
    {
        var parts = text.Split(' ');
        return new Usage(double.Parse(parts[0], CultureInfo.InvariantCulture), long.Parse(parts[1], CultureInfo.InvariantCulture));
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{CpuMicroseconds} {AllocatedBytes}");
}
