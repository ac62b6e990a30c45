using System.Runtime.InteropServices;
using Evidence.Programs;

namespace Evidence;

/// <summary>What figures were taken on.</summary>
internal static class Machine
{
    public static string Describe() =>
        $"{Environment.ProcessorCount} CPUs, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}, both ends on loopback with {CongestionControl.Name ?? "the system's congestion control"}";
}
