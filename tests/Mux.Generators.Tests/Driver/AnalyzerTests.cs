using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Analysis;

namespace Mux.Generators.Tests.Driver;

/// <summary>What compiles and is most likely not meant is told once, where it is, and not when it is mended.</summary>
public sealed class AnalyzerTests
{
    public static TheoryData<DiagnosticCase> Cases => [.. AnalyzerMistakes.All];

    public static TheoryData<string, string> Fine => new()
    {
        { "MUX0047", AnalyzerMistakes.Dates + "public class C { void M(Item item, IService service) { item.A = System.DateTime.Now; _ = service.Book(1, System.DateTime.Now); } }" }, // level 200
        { "MUX0047", Level300 + AnalyzerMistakes.Dates + "[DataContract] public class Preset { [DataMember(Order = 1), DefaultValue(\"2024-02-29\")] public System.DateTime A { get; set; } = new(2024, 2, 29); } public class C { void M(Item item, IService service, System.DateTimeKind kind, System.DateTime date) { item.A = System.DateTime.Now.ToUniversalTime(); _ = new Preset(); item.A = date; item.A = new System.DateTime(5L, kind); item.A = default; item.A = new(); item.A = System.DateTime.MinValue; item.A = System.DateTime.UtcNow.Date; item.B = null; item.C = System.DateTime.Now; var now = System.DateTime.Now; item.A = System.DateTime.Now > date ? date : System.DateTime.UtcNow; _ = (System.DateTime.Now - date).Ticks; } }" },
        { "MUX0047", Level300.Replace("Level300)", "Level300, SingleValues = MuxCompatibilityLevel.Level200)", StringComparison.Ordinal) + AnalyzerMistakes.Dates + "public class C { void M(IService service) { _ = service.Find(System.DateTime.Now, default); } }" },
        { "MUX0047", Level300 + "[DataContract] public class Instant { [DataMember(Order = 1)] public long Ticks { get; set; } public static implicit operator Instant(System.DateTime date) => new() { Ticks = date.ToUniversalTime().Ticks }; } [DataContract] public class Visit { [DataMember(Order = 1)] public Instant A { get; set; } = System.DateTime.Now; } [MuxService(\"s\")] public interface IService { ValueTask Book(int room, Instant day); } public class C { void M(Visit visit, IService service, bool b) { visit.A = System.DateTime.Now; visit.A = (Instant)System.DateTime.Today.AddDays(1); visit.A = b ? System.DateTime.Now : System.DateTime.Today; _ = service.Book(1, System.DateTime.Now); } }" }, // the operator makes UTC of it
        { "MUX0047", Level300 + "[DataContract] public class Visit { public Visit() { } public Visit(System.DateTime a) => A = a.ToUniversalTime().Ticks; [DataMember(Order = 1)] public long A { get; set; } } public class C { Visit M() => new(System.DateTime.Now); }" }, // the constructor does
        { "MUX0048", "public interface INoContract { ValueTask M(); } [MuxService(\"s\")] public interface IService { ValueTask M(CancellationToken token); ValueTask N() => default; static ValueTask O() => default; }" },
        { "MUX0049", AnalyzerMistakes.Calls + "public class C { async Task M(IService service) { await service.Get(1); var task = service.Get(1).AsTask(); await Task.WhenAll(task); _ = task.Result; Task.CompletedTask.Wait(); _ = Task.FromResult(1).Result; } }" },
        { "MUX0050", "[DataContract] public class Item { [DataMember(Order = 1)] public int A { get; set; } = 0; [DataMember(Order = 2, IsRequired = true)] public int B { get; set; } = 5; [DataMember(Order = 3), DefaultValue(5)] public int C { get; set; } = 5; public int D { get; set; } = 5; [DataMember(Order = 5)] public int? E { get; set; } = 5; [DataMember(Order = 6)] public string F { get; set; } = \"\"; [DataMember(Order = 7), DefaultValue(0.1)] public float G { get; set; } = 0.1f; [DataMember(Order = 8)] public System.TimeSpan H { get; set; } = System.TimeSpan.Zero; [DataMember(Order = 9), DefaultValue(\"x\")] public string I { get; set; } = \"x\"; [DataMember(Order = 10)] public List<int> J { get; } = new() { 1 }; [DataMember(Order = 11), DefaultValue(null)] public int K = 7; }" },
        { "MUX0050", "[ProtoContract] public struct Item { public Item() { } [ProtoMember(1)] public int A = 5; } [ProtoContract(SkipConstructor = true)] public class Other { [ProtoMember(1)] public int A = 5; } [ProtoContract] public class Third { public Third(bool b) { if (b) C = 5; } public Third() { if (C == 0) C = 5; } [ProtoMember(1)] public int C; } [ProtoContract] public record Fourth([property: ProtoMember(1)] int A = 5);" },
        { "MUX0049", AnalyzerMistakes.Calls + "public class Impl : IService { public Task<int> Base() => null!; public ValueTask<int> Get(int x) => default; public Task Do() => null!; public IAsyncEnumerable<int> List() => null!; } public class C { void M(Impl impl) { _ = impl.Get(1).Result; impl.Do().Wait(); } }" },
        { "MUX0050", Surrogate + "public int A = 5; }" },
        { "MUX0050", "[ProtoContract] public class Item { private string? _a; private int? _b; [ProtoMember(1), DefaultValue(\"x\")] public string A { get => _a ?? \"x\"; set => _a = value; } [ProtoMember(2), DefaultValue(5)] public int B { get { return _b ?? 5; } set { _b = value; } } }" },
        { "MUX0050", "[ProtoContract] public class Item { private int _a; private bool _b; private int? _c = 5; private int _d = 5; [ProtoMember(1)] public int A { get => _a; set => _a = value; } [ProtoMember(2)] public bool B { get => _b; set => _b = value; } [ProtoMember(3)] public int C { get => _c ?? 0; set => _c = value; } [ProtoMember(4)] public int D { get => _d - 5; set => _d = value + 5; } [ProtoMember(5), DefaultValue(5)] public int E { get => field == 0 ? 5 : field; set => field = value; } [ProtoMember(6, IsRequired = true)] public bool F { get => _f; set => _f = value; } private bool _f = true; }" }, // what a getter computes is not known
        { "MUX0050", "[ProtoContract] public class Item { public Item() { if (System.Environment.ProcessId > 1) A = 5; for (int i = 0; i < 3; i++) A = i; B = 5; Reset(); Item other = new Item2() { A = 5 }; other.A = 5; } private void Reset() { B = 0; } protected virtual void Virtual() { A = 5; } [ProtoMember(1)] public int A { get; set; } [ProtoMember(2)] public int B { get; set; } } public class Item2 : Item { }" },
        { "MUX0050", "[ProtoContract] public class Item { public Item() : this(0, 7) { } public Item(int a, int b) { A = a; B = b - 7; A += a; } [ProtoMember(1)] public int A { get; set; } [ProtoMember(2)] public int B { get; set; } } [ProtoContract] public class Loop { public Loop() { M(3); } private void M(int n) { M(n); A = 0; } [ProtoMember(1)] public int A { get; set; } }" },
        { "MUX0050", "[ProtoContract] public class Item { public Item() { Fill(3); } void Fill(int d) { if (d == 0) return; Fill(d - 1); Fill(d - 1); Fill(d - 1); Fill(d - 1); A = 5; } [ProtoMember(1)] public int A { get; set; } }" },
        { "MUX0050", "[ProtoContract] public class Item { public Item() { lock (this) { if (System.Environment.ProcessId > 1) return; } A = 5; } [ProtoMember(1)] public int A { get; set; } }" },
        { "MUX0050", "public class NoMessage { public NoMessage() { A = 5; } public int A { get; set; } = 7; }" },
        { "MUX0051", AnalyzerMistakes.Channel + "public interface IOther { } public class Any { public T CreateProxy<T>() => default!; } public class C<T> where T : class { void M(MuxChannel channel) { channel.CreateProxy<IService>(); channel.CreateProxy<T>(); new Any().CreateProxy<IOther>(); } }" },
        { "MUX0052", "[ProtoContract, ProtoReserved(5, 7), ProtoReserved(\"Old\")] public class Item { [ProtoMember(4)] public int A; [ProtoMember(8)] public int B; }" },
        { "MUX0053", "[ProtoContract] public class Item { [ProtoMember(1)] public int A; [ProtoIgnore] public int B; [field: ProtoMember(7)] public int ByField { get; set; } private int C; public int D => 1; public static int E; public const int F = 1; public readonly int G; public int H { get; private set; } public bool ASpecified { get; set; } [IgnoreDataMember] public int I; } [ProtoContract] public class Empty { public int A; } public class NoMessage { public int A; }" },
        { "MUX0053", Surrogate + "public int A; public int B; }" },
        { "MUX0055", "[MuxService(\"s\"), MuxAuthorize] public interface IService { [MuxAllowAnonymous] ValueTask M(CancellationToken token); [MuxAuthorize, MuxAuthorize(\"adult\")] ValueTask N(CancellationToken token); }" },
        { "MUX0056", AnalyzerMistakes.AspNetCore + "public interface IShared { [MuxAuthorize] ValueTask M(CancellationToken token); } [Microsoft.AspNetCore.Authorization.Authorize] public class Controller { [Microsoft.AspNetCore.Authorization.Authorize] public void M() { } } public class C : IService { public void M() { } }" },
        { "MUX0063", "[DataContract] public record Item([property: DataMember(Order = 1)][MuxKey] int Id); public class Other([MuxKey] int id) { public int Id { get; } = id; } public interface IShared { ValueTask M([MuxKey] int key, CancellationToken token); } [MuxService(\"s\")] public interface IService : IShared { ValueTask N(Item item, CancellationToken token); }" },
        { "MUX0094", "public interface IShared { [MuxMethod(\"m\")] ValueTask M(CancellationToken token); } [MuxService(\"s\")] public interface IService : IShared { [MuxMethod(OneWay = true)] ValueTask N(CancellationToken token) => default; } public class C { [System.Obsolete] public void M() { } }" },
        { "MUX0054", "[ProtoContract] public class Item { [ProtoMember(1)] public int A; [ProtoIgnore] public int B; }" },
    };

    private const string Level300 = "[assembly: MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)] ";

    // Whose members are not sent.
    private const string Surrogate = "[ProtoContract] public class Wire { public static implicit operator Wire(Item item) => null!; public static implicit operator Item(Wire wire) => null!; } [ProtoContract(Surrogate = typeof(Wire))] public class Item { [ProtoMember(1)] ";

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task It_is_told_where_it_is(DiagnosticCase mistake)
    {
        var found = (await RunAsync(mistake.Wrong)).Where(diagnostic => diagnostic.Id == mistake.Id);
        var diagnostic = Assert.Single(found);
        Assert.Contains(mistake.Says, diagnostic.GetMessage(null), StringComparison.Ordinal);
        Assert.Equal(mistake.Place, mistake.Wrong.Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length));
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task It_is_not_told_when_it_is_mended(DiagnosticCase mistake) => Assert.DoesNotContain(await RunAsync(mistake.Right), diagnostic => diagnostic.Id == mistake.Id);

    [Theory]
    [MemberData(nameof(Fine))]
    public async Task What_is_meant_is_left_alone(string id, string source) =>
        Assert.DoesNotContain(await RunAsync(new DiagnosticCase(id, string.Empty, source, string.Empty, "[|", "[|").Wrong), diagnostic => diagnostic.Id == id);

    [Fact]
    public async Task Messages_of_a_project_that_knows_nothing_of_contracts_are_left_alone()
    {
        const string source = "[System.Runtime.Serialization.DataContract] public class Item { [System.Runtime.Serialization.DataMember(Order = 1)] public int A { get; set; } = 5; public int B { get; set; } }";
        var compilation = GeneratorRun.Compile("Alone", [], source);
        compilation = compilation.RemoveReferences(compilation.References.Where(static reference => Path.GetFileName(reference.Display) == "Mux.Abstractions.dll"));
        Assert.Empty(await AnalyzerRun.DiagnosticsOfAsync(compilation, TestContext.Current.CancellationToken));
    }

    [Fact]
    public void Every_method_that_is_known_to_take_a_contract_is_one_of_the_packages()
    {
        var folder = Path.Combine(Repository.Find(), "tests", "Mux.Tests", "PublicApi");
        var known = new List<string>();
        var header = string.Empty; // of the type whose members follow
        foreach (var line in Directory.GetFiles(folder, "*.txt").SelectMany(File.ReadLines))
        {
            if (!line.StartsWith(' ')) header = line + " ";
            known.AddRange(ForgottenContractAnalyzer.Methods.Where(method => IsIn(method.Split('.'), header, line)));
        }

        Assert.Equal(ForgottenContractAnalyzer.Methods.Order(), known.Distinct().Order());

        static bool IsIn(string[] method, string header, string line) =>
            header.StartsWith(string.Join('.', method[..^2]) + ": ", StringComparison.Ordinal) && header.Contains($" {method[^2]} ", StringComparison.Ordinal) && line.Contains($" {method[^1]}<", StringComparison.Ordinal);
    }

    private static async Task<IEnumerable<Microsoft.CodeAnalysis.Diagnostic>> RunAsync(string source) =>
        await AnalyzerRun.DiagnosticsOfAsync(Newest(GeneratorRun.Compile("Sample", [], source, GeneratorRun.ProtoBufSource)), TestContext.Current.CancellationToken);

    // The keyword field is newer than the compiler that the tests refer to.
    private static Compilation Newest(CSharpCompilation compilation)
    {
        var newest = CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.Preview);
        var trees = compilation.SyntaxTrees.Select(tree => CSharpSyntaxTree.ParseText(tree.ToString(), newest, tree.FilePath));
        return compilation.RemoveAllSyntaxTrees().AddSyntaxTrees(trees);
    }
}
