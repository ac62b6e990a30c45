using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;

namespace Mux.Tests.Architecture;

/// <summary>What can be said of every source file.</summary>
public sealed partial class SourceTests
{
    private const int MaxLines = 600;
    private const int MaxColumns = 160;
    private const int MaxColumnsOfDocs = 180;
    private const string Core = "src/Mux.Core/";

    private static readonly IReadOnlyList<string> s_sources = [.. SourceTree.Files("src", "*.cs"), .. SourceTree.Files("tests", "*.cs"), .. SourceTree.Files("benchmarks", "*.cs"), .. SourceTree.Files("samples", "*.cs")];

    /// <summary>Projects whose root namespace is not their name.</summary>
    private static readonly Dictionary<string, string> s_rootNamespaces = new() { ["Mux.Abstractions"] = "Mux", ["Mux.Core"] = "Mux" };

    /// <summary>Namespaces of public types of the core, which users name: they stay, whatever wing a type is in.</summary>
    private static readonly string[] s_publicNamespaces = ["Mux.Backplanes", "Mux.Contracts", "Mux.Diagnostics", "Mux.Filters", "Mux.Identity", "Mux.Services",
        "Mux.Transports.Epoll", "Mux.Transports.InMemory", "Mux.Transports.Sockets", "Mux.Transports.Streams", "Mux.Transports.Tls", "Mux.Transports.WebSockets"];

    /// <summary>Files whose namespace somebody else decided.</summary>
    private static readonly string[] s_foreignNamespaces = ["src/Mux/DependencyInjection/MuxServiceCollectionExtensions.cs", "src/Mux/DependencyInjection/MuxFilterBuilderExtensions.cs", "src/Mux.AspNetCore/Kestrel/MuxConnectionBuilderExtensions.cs", "src/Mux.AspNetCore/Kestrel/MuxListenOptionsExtensions.cs", "src/Mux.AspNetCore/Kestrel/MuxEndpointConfigurationExtensions.cs",
        "src/Mux.AspNetCore/WebSockets/MuxWebSocketEndpointExtensions.cs", "src/Mux.AspNetCore/Health/MuxHealthChecksBuilderExtensions.cs",
        "src/Mux.Discovery.Etcd/DependencyInjection/EtcdMuxClientBuilderExtensions.cs", "src/Mux.Discovery.Etcd/DependencyInjection/EtcdMuxServerBuilderExtensions.cs",
        "src/Mux.Discovery.Kubernetes/DependencyInjection/KubernetesClientBuilderExtensions.cs",
        "src/Mux.Discovery.Dns/MuxDnsSrvClientBuilderExtensions.cs",
        "src/Mux.Discovery.Dns/MuxDnsSrvClientBuilderExtensions.cs", "src/Mux.Discovery.ServiceDiscovery/MuxServiceDiscoveryClientBuilderExtensions.cs",
        "src/Mux.Redis/DependencyInjection/MuxRedisServiceCollectionExtensions.cs",
        "src/Mux.Gateway/MuxGatewayServerBuilderExtensions.cs", "src/Mux.RateLimiting/MuxRateLimitServerBuilderExtensions.cs", "src/Mux.Reflection/MuxReflectionServerBuilderExtensions.cs",
        "src/Mux.Generators/Polyfills/DoesNotReturnAttribute.cs", "src/Mux.Generators/Polyfills/InterpolatedStringHandlerArgumentAttribute.cs", "src/Mux.Generators/Polyfills/InterpolatedStringHandlerAttribute.cs", "src/Mux.Generators/Polyfills/IsExternalInit.cs", "src/Mux.Generators/Polyfills/StringExtensions.cs", "tests/Mux.Generators.Tests/ProtoBufAttributes.cs",
        "benchmarks/Mux.Benchmarks/Codec/Shapes/ProtoContractAttribute.cs", "benchmarks/Mux.Benchmarks/Codec/Shapes/ProtoMemberAttribute.cs"];

    [Fact]
    public void No_file_is_longer_than_can_be_read_in_one_go() => Assert.DoesNotContain(s_sources, file => SourceTree.Read(file).AsSpan().Count('\n') > MaxLines);

    [Fact]
    public void No_line_of_src_needs_a_second_screen()
    {
        var wide = s_sources.Where(file => file.StartsWith("src/", StringComparison.Ordinal)).SelectMany(file => WideLines(file, MaxColumns));
        Assert.Empty(wide);
    }

    [Fact]
    public void No_line_of_the_docs_needs_a_second_screen_but_for_tables_and_code()
    {
        bool isCode = false;
        var wide = SourceTree.Files("docs", "*.md").SelectMany(file => WideLines(file, MaxColumnsOfDocs, line =>
        {
            if (line.TrimStart().StartsWith("```", StringComparison.Ordinal)) isCode = !isCode;
            return !isCode && !line.TrimStart().StartsWith('|');
        }));
        Assert.Empty(wide);
    }

    [Fact]
    public void The_namespace_is_the_folder()
    {
        Assert.NotEmpty(s_sources);
        var strays = s_sources.Except(s_foreignNamespaces).Where(file => !file.StartsWith(Core, StringComparison.Ordinal))
            .Select(file => (File: file, Declared: Namespace().Match(SourceTree.Read(file)).Groups[1].Value))
            .Where(entry => entry.Declared.Length > 0 && !entry.File.StartsWith("samples/", StringComparison.Ordinal) && entry.Declared != FolderOf(entry.File));
        Assert.Empty(strays);
    }

    [Fact]
    public void The_core_has_one_namespace_for_each_wing()
    {
        var files = s_sources.Where(file => file.StartsWith(Core, StringComparison.Ordinal)).ToList();
        Assert.NotEmpty(files);
        var strays = files
            .Select(file => (File: file, Wing: file[Core.Length..].Split('/'), Declared: Namespace().Match(SourceTree.Read(file)).Groups[1].Value))
            .Where(entry => entry.Declared != (entry.Wing.Length == 1 ? "Mux" : $"Mux.{entry.Wing[0]}") && !HasPublicTypes(entry.File, entry.Declared));
        Assert.Empty(strays);
    }

    [Fact]
    public void No_type_is_named_after_nothing_in_particular()
    {
        var vague = s_sources.SelectMany(file => TypeName().Matches(SourceTree.Read(file)).Select(match => $"{file}: {match.Groups[1].Value}")).Where(entry => Vague().IsMatch(entry));
        Assert.Empty(vague);
    }

    [Fact]
    public void The_engine_has_one_way_to_the_thread_pool()
    {
        // which uses up what user code has left on the threads of the pool
        var queuing = s_sources.Where(file => file.StartsWith("src/Mux.Core/", StringComparison.Ordinal) && SourceTree.Read(file).Contains("QueueUserWorkItem(", StringComparison.Ordinal));
        Assert.Equal(["src/Mux.Core/Runtime/Threads/EnginePool.cs"], queuing);
    }

    [Fact]
    public void No_test_passes_time_by_waiting()
    {
        var sleeping = s_sources.Where(file => file.StartsWith("tests/", StringComparison.Ordinal) && Waiting().IsMatch(SourceTree.Read(file)));
        Assert.Equal(["tests/Mux.Tests.Server/SlowDesk.cs"], sleeping); // its process serves calls that take time: others block on it, or are open when it is killed
    }

    private static bool HasPublicTypes(string file, string declared) =>
        s_publicNamespaces.Contains(declared) && SourceTree.Read(file).Contains("\npublic ", StringComparison.Ordinal);

    private static IEnumerable<string> WideLines(string file, int columns, Func<string, bool>? counts = null)
    {
        var lines = SourceTree.Read(file).Split('\n');
        for (int i = 0; i < lines.Length; i++)
        {
            if (counts?.Invoke(lines[i]) != false && lines[i].TrimEnd('\r').Length > columns) yield return $"{file}:{i + 1}: {lines[i].Length} columns, at most {columns}";
        }
    }

    private static string FolderOf(string file)
    {
        var parts = file.Replace("/external/", "/", StringComparison.Ordinal).Replace("benchmarks/Peers/", "benchmarks/", StringComparison.Ordinal).Split('/')[1..^1]; // groups of projects, no layers
        parts[0] = s_rootNamespaces.GetValueOrDefault(parts[0], parts[0]);
        return string.Join('.', parts);
    }

    [GeneratedRegex(@"^namespace ([\w.]+)", RegexOptions.Multiline)]
    private static partial Regex Namespace();

    [GeneratedRegex(@"^\s*(?:[a-z]+ )*(?:class|struct|record|interface|enum) (\w+)", RegexOptions.Multiline)]
    private static partial Regex TypeName();

    [GeneratedRegex(@": \w*(Helper|Util|Utils|Utility|Utilities|Manager)s?$")]
    private static partial Regex Vague();

    [GeneratedRegex(@"Thread\.Sleep\(|Task\.Delay\(")]
    private static partial Regex Waiting();
}
