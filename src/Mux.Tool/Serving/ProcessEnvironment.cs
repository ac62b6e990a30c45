using System.Reflection;
using System.Runtime;
using System.Runtime.InteropServices;
using System.Runtime.Serialization;

namespace Mux.Tool.Serving;

/// <summary>Environment of a process, as far as it affects its speed.</summary>
[DataContract]
internal sealed class ProcessEnvironment
{
    /// <summary>Version of the tool.</summary>
    [DataMember(Order = 1)]
    public string? Tool { get; set; }

    [DataMember(Order = 2)]
    public string? Runtime { get; set; }

    /// <summary>Garbage collection: workstation or server, concurrent or not.</summary>
    [DataMember(Order = 3)]
    public string? Gc { get; set; }

    /// <summary>Number of CPUs that the process may use.</summary>
    [DataMember(Order = 4)]
    public int Cpus { get; set; }

    [DataMember(Order = 5)]
    public string? Os { get; set; }

    [DataMember(Order = 6)]
    public string? Architecture { get; set; }

    /// <summary>Congestion control of the process's connections; null if there are none, or the system does not tell.</summary>
    [DataMember(Order = 7)]
    public string? CongestionControl { get; set; }

    /// <summary>Engine: portable, or another one by its name or file.</summary>
    [DataMember(Order = 8)]
    public string? Engine { get; set; }

    /// <summary>Model of the CPU; null if the system does not tell.</summary>
    [DataMember(Order = 9)]
    public string? CpuModel { get; set; }

    /// <summary>Kernel with its release.</summary>
    [DataMember(Order = 10)]
    public string? Kernel { get; set; }

    /// <summary>Reads the environment of this process, which has connections with this address.</summary>
    public static ProcessEnvironment Read(MuxAddress address) => new()
    {
        Tool = ToolVersion,
        Runtime = RuntimeInformation.FrameworkDescription,
        Gc = GcMode(),
        Cpus = Environment.ProcessorCount,
        Os = RuntimeInformation.OSDescription,
        Architecture = RuntimeInformation.ProcessArchitecture.ToString(),
        CongestionControl = Serving.CongestionControl.InForce(address),
        Engine = EngineChoice.NameFor(address),
        CpuModel = Machine.CpuModel,
        Kernel = Machine.Kernel,
    };

    private static string ToolVersion { get; } =
        typeof(ProcessEnvironment).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "unknown";

    private static string GcMode()
    {
        var settings = GC.GetConfigurationVariables();
        bool isConcurrent = settings.TryGetValue("ConcurrentGC", out var value) && value is true;
        return $"{(GCSettings.IsServerGC ? "server" : "workstation")}, {(isConcurrent ? "concurrent" : "non-concurrent")}";
    }
}
