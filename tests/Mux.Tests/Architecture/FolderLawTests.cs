using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Hosting;
using Mux.Discovery.Etcd;
using Mux.Discovery.Kubernetes;
using Mux.Hosting;
using Mux.Redis;
using Mux.Runtime;
using Mux.Serialization.GoogleProtobuf;
using Mux.Serialization.ProtobufNet;
using Mux.TestSupport.Sources;
using Mux.Transports;
using Mux.Transports.Sockets;

namespace Mux.Tests.Architecture;

/// <summary>Holds the compiled code against <see cref="FolderLaw"/>.</summary>
public sealed partial class FolderLawTests
{
    private static readonly Assembly[] s_shipped = [typeof(Link).Assembly, typeof(MuxChannel).Assembly, typeof(MuxServerService).Assembly, typeof(MuxConnectionBuilderExtensions).Assembly, typeof(EtcdEndpointSource).Assembly, typeof(RedisBackplane).Assembly, typeof(KubernetesEndpointSource).Assembly];

    private static readonly List<(LayerRule Row, Type Type)> s_types = [.. s_shipped.SelectMany(assembly => assembly.GetTypes())
        .Select(type => (Row: FolderLaw.RowOf(type)!, Type: type))
        .Where(entry => entry.Row is not null)];

    [Fact]
    public void No_layer_names_a_layer_it_may_not_know()
    {
        var violations = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var (row, type) in s_types)
        {
            foreach (var named in ReferencedTypes.Of(type))
            {
                if (FolderLaw.RowOf(named) is { } other && !row.Allows(other.Layer, Outermost(named).Name)) violations.Add($"{row.Layer}: {type.FullName} names {named.FullName} of {other.Layer}");
            }
        }

        Assert.True(violations.Count == 0, string.Join('\n', violations));
    }

    [Fact]
    public void No_layer_imports_a_namespace_it_may_not_know()
    {
        // Constants leave no trace in compiled code, imports do in the source.
        var rows = FolderLaw.Rows.ToDictionary(row => row.Layer);
        var violations = new List<string>();
        foreach (var file in SourceTree.Files("src/Mux.Core", "*.cs").Concat(SourceTree.Files("src/Mux.Abstractions", "*.cs")))
        {
            var row = rows[Path.GetDirectoryName(file)!["src/Mux.".Length..].Replace('/', '.')];
            foreach (var folder in Import().Matches(SourceTree.Read(file)).Select(match => match.Groups[1].Value))
            {
                string[] possible = [$"Core.{folder}", $"Abstractions.{folder}"];
                if (!possible.Any(layer => row.MayName.Any(name => name == layer || name.StartsWith(layer + '.', StringComparison.Ordinal)))) violations.Add($"{file}: using Mux.{folder}");
            }
        }

        Assert.True(violations.Count == 0, string.Join('\n', violations));
    }

    [Fact]
    public void Few_layers_name_single_types_of_another()
    {
        // A type that is named alone is in the wrong room, or its room should be allowed. The number may only shrink.
        var layers = FolderLaw.Rows.Select(row => row.Layer).ToHashSet();
        Assert.Equal(16, FolderLaw.Rows.Sum(row => row.MayName.Count(name => !layers.Contains(name))));
    }

    [Fact]
    public void No_layer_names_a_part_of_the_framework_it_keeps_away_from()
    {
        var violations = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var (row, type) in s_types)
        {
            foreach (var named in ReferencedTypes.Of(type))
            {
                if (row.NeverFrom.Any(space => named.Namespace is { } from && (from == space || from.StartsWith(space + '.', StringComparison.Ordinal)))) violations.Add($"{row.Layer}: {type.FullName} names {named.FullName}");
            }
        }

        Assert.True(violations.Count == 0, string.Join('\n', violations));
    }

    [Fact]
    public void A_row_names_rows_above_it_only()
    {
        var rows = FolderLaw.Rows.Select(row => row.Layer).ToList();
        var upwards = FolderLaw.Rows.SelectMany((row, index) => row.MayName.Where(name => rows.IndexOf(name) >= index).Select(name => $"{row.Layer} -> {name}"));
        Assert.Empty(upwards);
    }

    [Fact]
    public void Every_row_is_about_types_that_exist() => Assert.All(FolderLaw.Rows, row => Assert.Contains(s_types, entry => entry.Row == row));

    [Fact]
    public void The_reader_finds_what_code_names()
    {
        // If it found nothing, the law would hold whatever the code did.
        Assert.Contains(typeof(Link), ReferencedTypes.Of(typeof(SocketTransport)));
        Assert.Contains(typeof(System.Net.Sockets.Socket), s_types.Where(entry => entry.Type.Name == "SocketSender").SelectMany(entry => ReferencedTypes.Of(entry.Type)));
        Assert.Contains(typeof(MuxServer), ReferencedTypes.Of(typeof(MuxServerFactory)));
    }

    [Theory]
    [InlineData("Mux.Abstractions", new string[0])]
    [InlineData("Mux.Core", new[] { "Mux.Abstractions", "Microsoft.Extensions.Logging.Abstractions" })]
    [InlineData("Mux.Serialization.GoogleProtobuf", new[] { "Mux.Abstractions", "Google.Protobuf" })]
    [InlineData("Mux.Serialization.ProtobufNet", new[] { "Mux.Abstractions", "protobuf-net", "protobuf-net.Core" })]
    public void Nobody_below_Mux_references_more_than_the_framework_and_what_it_stands_on(string name, string[] allowed)
    {
        var assembly = Assert.Single([.. s_shipped, typeof(GoogleProtobufSerializer).Assembly, typeof(ProtobufNetSerializer).Assembly], assembly => assembly.GetName().Name == name);
        var foreign = assembly.GetReferencedAssemblies().Select(reference => reference.Name!).Where(reference => !reference.StartsWith("System.", StringComparison.Ordinal));
        Assert.Empty(foreign.Except(allowed));
    }

    [GeneratedRegex(@"^using Mux\.([\w.]+);", RegexOptions.Multiline)]
    private static partial Regex Import();

    private static Type Outermost(Type type) => type.DeclaringType is { } declaring ? Outermost(declaring) : type;
}
