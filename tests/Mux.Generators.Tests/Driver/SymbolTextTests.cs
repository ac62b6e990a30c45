using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Tests.Driver;

/// <summary>The generator puts most names of types together itself, as the compiler formats them.</summary>
public sealed class SymbolTextTests
{
    private const string Types = """
        using System;
        using System.Collections.Generic;
        namespace @event
        {
            public struct Own<T> where T : struct { public T? Value; }
            public class @class { public class Nested<T> { public T Item; public T?[] Items; public Dictionary<T, List<T>> Map; } }
            public unsafe class Fields<TAny, TClass, TStruct> where TClass : class where TStruct : struct
            {
                public int A; public string B; public string? C; public int? D; public int[] E; public string?[]? F; public int[][] G; public int[]?[]? H; public int[,] I; public int[,][] I2;
                public List<int> J; public List<string?>? K; public Dictionary<string, List<int?>?> L; public (int, string?) M; public (int A, List<string> B)? N; public List<(int X, int Y)> O;
                public DateTime? P; public Own<int> Q; public Own<int>? R; public @class.Nested<int> S; public @class.Nested<@class?>? T; public List<@class> U; public @class[]? V;
                public TAny W; public TAny? X; public TClass Y; public TClass? Z; public TStruct? A1; public List<TClass?> B1; public TAny[] C1; public Own<TStruct>[] D1;
                public dynamic E1; public List<dynamic?> F1; public object? G1; public nint H1; public nuint? I1; public List<nint> J1; public int* K1; public delegate*<int, void> L1; public int*[] M1;
                public Func<string?, Action<int>?>? N1; public ReadOnlyMemory<byte> O1; public KeyValuePair<string?, byte[]?> P1; public DayOfWeek? Q1; public Missing R1; public List<Missing<int>> S1; public Missing<int>[] T1;
                public ValueTuple<int> U1; public Tuple<int, string>? V1; public IAsyncEnumerable<int>? W1; public ArraySegment<byte>? X1; public System.Collections.Immutable.ImmutableArray<string?> Y1;
            }
        }
        """;

    private const SymbolDisplayMiscellaneousOptions Named =
        SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers | SymbolDisplayMiscellaneousOptions.UseSpecialTypes | SymbolDisplayMiscellaneousOptions.ExpandValueTuple;

    private static readonly SymbolDisplayFormat s_code =
        SymbolDisplayFormat.FullyQualifiedFormat.WithMiscellaneousOptions(Named | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    [Fact]
    public void A_type_is_named_as_the_compiler_names_it()
    {
        var compilation = GeneratorRun.Compile("Names", [], Types);
        var types = compilation.GetTypeByMetadataName("event.Fields`3")!.GetMembers().OfType<IFieldSymbol>().Select(field => field.Type)
            .Concat(compilation.GetTypeByMetadataName("event.class")!.GetTypeMembers("Nested")[0].Construct(compilation.GetSpecialType(SpecialType.System_Int32)).GetMembers().OfType<IFieldSymbol>().Select(field => field.Type))
            .ToList();

        Assert.True(types.Count > 50);
        Assert.All(types, type =>
        {
            Assert.Equal(type.ToDisplayString(s_code), type.ToCode());
            Assert.Equal(type.WithNullableAnnotation(NullableAnnotation.NotAnnotated).ToDisplayString(s_code), type.ToBareCode());
        });
    }
}
