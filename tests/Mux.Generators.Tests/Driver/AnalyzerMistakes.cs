namespace Mux.Generators.Tests.Driver;

/// <summary>What compiles and is most likely not meant.</summary>
internal static class AnalyzerMistakes
{
    public const string Calls = "public interface IBase { Task<int> Base(); } [MuxService(\"s\")] public interface IService : IBase { ValueTask<int> Get(int x); Task Do(); IAsyncEnumerable<int> List(); } ";

    public const string Channel = "namespace Mux { public class MuxChannel { public T CreateProxy<T>() where T : class => null!; } public class MuxServer { public MuxServer AddService<T>(T service) where T : class => this; } } [MuxService(\"s\")] public interface IService { ValueTask M(CancellationToken token); } ";

    public const string AspNetCore = "namespace Microsoft.AspNetCore.Authorization { public interface IAuthorizeData { } public class AuthorizeAttribute : System.Attribute, IAuthorizeData { } } [MuxService(\"s\")] public interface IService { } ";

    public const string Dates = "[DataContract] public class Item { [DataMember(Order = 1)] public System.DateTime A { get; set; } [DataMember(Order = 2)] public System.DateTime? B { get; set; } public System.DateTime C { get; set; } } [DataContract] public record Spot([property: DataMember(Order = 1)] System.DateTime At); [MuxService(\"s\")] public interface IService { ValueTask Book(int room, System.DateTime day); ValueTask Find(System.DateTime day, CancellationToken token); }";

    public static IEnumerable<DiagnosticCase> All =>
    [
        new("MUX0048", "no token", "[MuxService(\"s\")] public interface IService { ValueTask [|M|](int x); }", "'IService.M(int)'", "int x", "int x, CancellationToken token"),
        new("MUX0048", "no token of a stream", "[MuxService(\"s\")] public interface IService { IAsyncEnumerable<int> [|M|](MuxCallOptions options); }", "IService.M", "options)", "options, CancellationToken token)"),
        new("MUX0048", "no token of a body that is called", "[MuxService(\"s\")] public interface IService { [MuxMethod] ValueTask [|M|]() => default; }", "IService.M", "[MuxMethod]", ""),

        Date("the local time", "item.A = [|System.DateTime.Now|]", "'Item.A' is sent as it is and read as UTC, but DateTime.Now is local time", ".Now", ".UtcNow"),
        Date("a local day after another", "item.A = [|System.DateTime.Today|].AddDays(1).Date", "DateTime.UtcNow.Date, or a DateOnly", "System.DateTime.Today", "System.DateTime.UtcNow"),
        Date("no kind", "item.A = [|new System.DateTime(2026, 1, 1)|]", "it has no kind", "new System.DateTime(2026, 1, 1)", "new System.DateTime(2026, 1, 1, 0, 0, 0, System.DateTimeKind.Utc)"),
        Date("a kind that is local", "item.A = [|new System.DateTime(5L, System.DateTimeKind.Local)|]", "it has the kind Local", "Kind.Local", "Kind.Utc"),
        Date("a kind that is given", "item.B = [|System.DateTime.SpecifyKind(System.DateTime.UtcNow, System.DateTimeKind.Unspecified)|]", "it has the kind Unspecified", "Kind.Unspecified", "Kind.Utc"),
        Date("a conversion", "item.B = [|System.DateTime.UtcNow.ToLocalTime()|]", "ToLocalTime() makes local time of it", ".ToLocalTime()", ""),
        Date("a date with an offset", "item.A = [|System.DateTimeOffset.UtcNow.DateTime|]", "use DateTimeOffset.UtcDateTime", "UtcNow.DateTime", "UtcNow.UtcDateTime"),
        Date("an initializer", "item = new Item { A = [|System.DateTime.Now|] }", "'Item.A'", ".Now", ".UtcNow"),
        Date("a choice", "item.A = item is null ? System.DateTime.UtcNow : [|System.DateTime.Now|]", "'Item.A'", ": System.DateTime.Now", ": System.DateTime.UtcNow"),
        Date("a constructor", "_ = new Spot([|System.DateTime.Now|])", "'Spot.At'", ".Now", ".UtcNow"),
        Date("a copy", "spot = spot with { At = [|System.DateTime.Now|] }", "'Spot.At'", ".Now", ".UtcNow"),
        Date("the only argument", "_ = service.Find([|System.DateTime.Now|], default)", "'IService.Find(day)'", ".Now", ".UtcNow"),
        Date("an argument", "_ = service.Book(1, [|System.DateTime.Now|])", "'IService.Book(day)'", ".Now", ".UtcNow"),
        new("MUX0047", "a preset value", "[DataContract, CompatibilityLevel(CompatibilityLevel.Level240)] public class Item { [DataMember(Order = 1)] public System.DateTime A { get; set; } = [|System.DateTime.Now|]; }", "'Item.A'", ".Now", ".UtcNow"),
        new("MUX0047", "a format of level 240", "[ProtoContract] public class Item { [ProtoMember(1, DataFormat = DataFormat.WellKnown)] public System.DateTime A = [|System.DateTime.Now|]; }", "'Item.A'", "DataFormat.WellKnown", "DataFormat.Default"),

        Call("Result", "_ = [|service.Get(1).Result|];", "IService.Get(int)", "service.Get(1).Result", "service.Get(1)"),
        Call("Wait", "[|service.Do().Wait()|];", "IService.Do()", ".Wait()", ""),
        Call("GetResult", "[|service.Get(1).GetAwaiter().GetResult()|];", "IService.Get", ".GetAwaiter().GetResult()", ""),
        Call("a task of a task", "_ = [|service.Get(1).AsTask().ConfigureAwait(false).GetAwaiter().GetResult()|];", "IService.Get", ".GetAwaiter().GetResult()", ""),
        Call("an inherited method", "_ = [|service.Base().Result|];", "IBase.Base()", ".Result", ""),
        Call("several", "[|Task.WaitAll(Task.CompletedTask, service.Do())|];", "IService.Do()", "Task.WaitAll(Task.CompletedTask, service.Do())", "_ = Task.WhenAll(Task.CompletedTask, service.Do())"),
        Call("a stream", "_ = [|service.List().ToBlockingEnumerable()|];", "IService.List()", ".ToBlockingEnumerable()", ""),

        Preset("an initializer", "[DataMember(Order = 1)] public int Id { get; set; } = [|5|];", "'Item.Id' is not written when it is 0, and a reader then finds 5", " = 5;", ""),
        Preset("an initializer of a field", "[DataMember(Order = 1)] public bool Id = [|true|];", "when it is false, and a reader then finds true", "Order = 1", "Order = 1, IsRequired = true"),
        Preset("a constructor", "public Item() { Id = [|1|]; } [DataMember(Order = 1)] public int Id { get; set; }", "finds 1", "[DataMember(Order = 1)]", "[DataMember(Order = 1), DefaultValue(1)]"),
        Preset("a constructor that overrides", "public Item() => this.Id = [|1|]; [DataMember(Order = 1)] public long Id { get; set; } = 0;", "finds 1", "this.Id = 1", "this.Id = 0"),
        Preset("an enum", "[DataMember(Order = 1)] public System.DayOfWeek Id { get; set; } = [|System.DayOfWeek.Monday|];", "finds 1", "DayOfWeek.Monday", "DayOfWeek.Sunday"),
        Preset("what is not a constant", "[DataMember(Order = 1)] public int Id { get; set; } = [|System.Environment.ProcessId|];", "finds 'System.Environment.ProcessId'", "= System.Environment.ProcessId;", ""),
        Preset("an id", "[DataMember(Order = 1)] public System.Guid Id { get; set; } = [|System.Guid.NewGuid()|];", "when it is default", "System.Guid.NewGuid()", "System.Guid.Empty"),
        Preset("another default", "[DataMember(Order = 1), DefaultValue(5)] public int Id { get; set; } = [|6|];", "when it is 5, and a reader then finds 6", "= 6", "= 5"),
        Preset("a default that nothing sets", "[DataMember(Order = 1), DefaultValue(5)] public int [|Id|] { get; set; }", "when it is 5, and a reader then finds 0", "{ get; set; } }", "{ get; set; } = 5; }"),
        Preset("a text that nothing sets", "[DataMember(Order = 1), DefaultValue(\"x\")] public string? [|Id|] { get; set; }", "when it is \"x\", and a reader then finds null", "{ get; set; } }", "{ get; set; } = \"x\"; }"),
        Preset("a field behind a property", "private bool _id = [|true|]; [DataMember(Order = 1)] public bool Id { get => _id; set => _id = value; }", "'Item.Id' is not written when it is false, and a reader then finds true", " = true", ""),
        Preset("a field behind a property with bodies", "private int _id = [|5|]; [DataMember(Order = 1)] public int Id { get { return this._id; } set { if (_id == value) return; _id = value; } }", "finds 5", " = 5", ""),
        Preset("a field behind a property that only reads", "private int _id = [|5|]; [DataMember(Order = 1)] private int Stored { get => _id; set => _id = value; } public int Id => _id;", "'Item.Stored'", " = 5", ""),
        Preset("a property behind a property", "private int Other { get; set; } = [|5|]; [DataMember(Order = 1)] public int Id { get => Other; set => Other = value; }", "finds 5", " = 5;", ""),
        Preset("a field behind a property that nothing sets to its default", "private int _id; [DataMember(Order = 1), DefaultValue(5)] public int [|Id|] { get => _id; set => _id = value; }", "finds 0", "int _id;", "int _id = 5;"),
        Preset("the field of a property", "[DataMember(Order = 1)] public int Id { get => field; set => field = value < 0 ? 0 : value; } = [|5|];", "finds 5", " = 5;", ""),
        Preset("an assignment to a property with code", "private int _id; public Item() { Id = [|5|]; } [DataMember(Order = 1)] public int Id { get => _id; set { _id = value; } }", "finds 5", "Id = 5", "Id = 0"),
        Preset("a field that a constructor assigns behind a property", "private int _id; public Item() => _id = [|5|]; [DataMember(Order = 1)] public int Id { get => _id; set => _id = value; }", "finds 5", "_id = 5", "_id = 0"),
        Preset("a property that is init-only and required", "[DataMember(Order = 1)] public required int Id { get; init; } = [|5|];", "finds 5", " = 5;", ""),
        Preset("a method that a constructor calls", "public Item() { Reset(); } private void Reset() => Id = [|5|]; [DataMember(Order = 1)] public int Id { get; set; }", "finds 5", "Id = 5", "Id = 0"),
        Preset("an argument of a method that a constructor calls", "public Item() { Reset([|5|]); } private void Reset(int id) { Id = id; } [DataMember(Order = 1)] public int Id { get; set; }", "finds 5", "(5)", "(0)"),
        Preset("a constructor that calls another", "public Item() : this([|5|]) { } public Item(int id) { Id = id; } [DataMember(Order = 1)] public int Id { get; set; }", "finds 5", "(5)", "(0)"),
        Preset("a default of a parameter", "public Item() [|: this(true)|] { } private Item(bool b, int id = 5) { Id = id; } [DataMember(Order = 1)] public int Id { get; set; }", "finds 5", "id = 5", "id = 0"),
        Preset("several assignments at once", "public Item() { (Id, Other) = ([|5|], 0); } [DataMember(Order = 1)] public int Id { get; set; } [DataMember(Order = 2)] public int Other { get; set; }", "finds 5", "(5, 0)", "(0, 0)"),
        Preset("an assignment in an assignment", "public Item() { Other = Id = [|5|]; } [DataMember(Order = 1)] public int Id { get; set; } public int Other { get; set; }", "finds 5", "Id = 5", "Id = 0"),
        Preset("a member that is counted up", "public Item() { [|Id++|]; } [DataMember(Order = 1)] public int Id { get; set; }", "finds 'Id++'", "Id++;", ""),
        Preset("a statement that is protected", "public Item() { try { lock (this) { Id = [|5|]; } } finally { } } [DataMember(Order = 1)] public int Id { get; set; }", "finds 5", "Id = 5", "Id = 0"),
        Preset("a method that is called before reading", "[System.Runtime.Serialization.OnDeserializing] private void Begin(System.Runtime.Serialization.StreamingContext context) { Id = [|5|]; } [DataMember(Order = 1)] public int Id { get; set; }", "finds 5", "Id = 5", "Id = 0"),
        Preset("a constructor with members as parameters", "public Item(int id) { Id = id; Other = [|5|]; } [DataMember(Order = 1)] public int Id { get; } [DataMember(Order = 2)] public int Other { get; set; }", "'Item.Other'", "Other = 5", "Other = 0"),
        new("MUX0050", "a primary constructor", "[DataContract] public class Item(int id) { public Item() : this([|5|]) { } [DataMember(Order = 1)] public int Id { get; set; } = id; }", "finds 5", "(5)", "(0)"),
        new("MUX0050", "a positional record", "[DataContract] public record Item([property: DataMember(Order = 1)] int Id) { public Item() : this([|5|]) { } }", "finds 5", "(5)", "(0)"),
        new("MUX0050", "what a base constructor gets", "[DataContract] public class Item() : Basis([|5|]) { [DataMember(Order = 1)] public int Id { get => Value; set => Value = value; } } public class Basis { protected int Value; protected Basis(int value) => Value = value; }", "'Item.Id'", "(5)", "(0)"),
        new("MUX0050", "an initializer of a base class that is no message", "[DataContract] public class Item : Basis { [DataMember(Order = 1)] public int Id { get => Value; set => Value = value; } } public class Basis { protected int Value = [|5|]; }", "'Item.Id'", " = 5", ""),
        new("MUX0050", "a member of the base message", "[ProtoContract, ProtoInclude(5, typeof(Dog))] public class Animal { [ProtoMember(1)] public int Legs { get; set; } } [ProtoContract] public class Dog : Animal { public Dog() { Legs = [|4|]; } }", "'Animal.Legs'", "Legs = 4", "Legs = 0"),
        new("MUX0050", "a member of the base message by its constructor", "[ProtoContract, ProtoInclude(5, typeof(Dog))] public abstract class Animal { protected Animal(int legs) { Legs = legs; } [ProtoMember(1)] public int Legs { get; set; } } [ProtoContract] public class Dog : Animal { public Dog() : base([|4|]) { } }", "'Animal.Legs'", "(4)", "(0)"),
        new("MUX0050", "an override that a base constructor calls", "[ProtoContract, ProtoInclude(5, typeof(Dog))] public abstract class Animal { protected Animal() { Begin(4); } protected virtual void Begin(int legs) { Legs = 0; } [ProtoMember(1)] public int Legs; } [ProtoContract] public class Dog : Animal { protected override void Begin(int all) => Legs = [|7|]; }", "'Animal.Legs'", "Legs = 7", "Legs = 0"),
        new("MUX0050", "a property that is overridden", "[ProtoContract] public class Item : Basis { [ProtoMember(1)] public override int Id { get; set; } } public class Basis { public Basis() { Id = [|5|]; } public virtual int Id { get; set; } }", "'Item.Id'", "Id = 5", "Id = 0"),
        new("MUX0050", "the name of a constant", "[ProtoContract] public class Item { [ProtoMember(1), DefaultValue(\"gold\")] public Kind Id { get; set; } = [|Kind.None|]; } public enum Kind { None, Gold }", "\"gold\"", "Kind.None", "Kind.Gold"),
        new("MUX0050", "a digit that is a character", "[ProtoContract] public class Item { [ProtoMember(1), DefaultValue(\"5\")] public char Id { get; set; } = [|(char)5|]; }", "\"5\"", "(char)5", "'5'"),
        new("MUX0050", "a negative number in brackets", "[ProtoContract] public class Item { [ProtoMember(1), DefaultValue(\"(5)\")] public int Id { get; set; } = [|5|]; }", "\"(5)\"", "= 5", "= -5"),
        new("MUX0050", "a method that calls itself", "[ProtoContract] public class Item { public Item() => Fill(); void Fill() { Fill(); Fill(); Fill(); Fill(); Id = [|5|]; } [ProtoMember(1)] public int Id { get; set; } }", "finds 5", "= 5", "= 0"),
        new("MUX0050", "a struct", "[ProtoContract] public struct Item { [ProtoMember(1), DefaultValue(5)] public int [|Id|]; }", "finds 0", ", DefaultValue(5)", ""),

        new("MUX0051", "a proxy", Channel + "public interface IOther { } public class C { void M(MuxChannel channel) => channel.CreateProxy<[|IOther|]>(); }", "'IOther' is given to CreateProxy", "public interface IOther", "[MuxService(\"o\")] public interface IOther"),
        new("MUX0051", "an implementation", Channel + "public interface IOther { } public class C { void M(MuxServer server, IOther other) => server.[|AddService|](other); }", "'IOther' is given to AddService", "public interface IOther", "[MuxService(\"o\")] public interface IOther"),

        new("MUX0052", "a number", "[ProtoContract, ProtoReserved(5)] public class Item { [ProtoMember(5)] public int [|Id|]; }", "'Item.Id' uses the number 5", "ProtoMember(5)", "ProtoMember(6)"),
        new("MUX0052", "a range", "[ProtoContract, ProtoReserved(5, 7)] public class Item { [ProtoMember(7)] public int [|Id|]; }", "the number 7", "ProtoMember(7)", "ProtoMember(8)"),
        new("MUX0052", "a name", "[ProtoContract, ProtoReserved(\"Id\")] public class Item { [ProtoMember(7)] public int [|Id|]; }", "the name Id", "int Id", "int Number"),

        new("MUX0053", "a property", "[ProtoContract] public class Item { [ProtoMember(1)] public int A; public int [|B|] { get; set; } }", "exclude it with [ProtoIgnore]", "public int B", "[ProtoMember(2)] public int B"),
        new("MUX0053", "a field", "[DataContract] public class Item { [DataMember(Order = 1)] public int A; public int [|B|]; }", "[IgnoreDataMember]", "public int B", "[IgnoreDataMember] public int B"),
        new("MUX0053", "a property of a positional record", "[ProtoContract] public record Item([property: ProtoMember(1)] int A, int [|B|]);", "'Item.B'", "int B", "[property: ProtoMember(2)] int B"),

        new("MUX0055", "a method", "[MuxService(\"s\")] public interface IService { [MuxAuthorize, MuxAllowAnonymous] ValueTask [|M|](CancellationToken token); }", "'IService.M(System.Threading.CancellationToken)' has [MuxAuthorize] and [MuxAllowAnonymous]", ", MuxAllowAnonymous", ""),
        new("MUX0055", "a service", "[MuxService(\"s\"), MuxAllowAnonymous, MuxAuthorize(\"adult\")] public interface [|IService|] { }", "'IService' has", ", MuxAuthorize(\"adult\")", ""),

        new("MUX0056", "an implementation", "[MuxService(\"s\")] public interface IService { ValueTask M(CancellationToken token); } public class C : IService { [MuxAuthorize] public ValueTask [|M|](CancellationToken token) => default; }", "[MuxAuthorize] on 'C.M(System.Threading.CancellationToken)'", "[MuxAuthorize] public", "public"),
        new("MUX0056", "everybody", "public class C { [MuxAllowAnonymous] public void [|M|]() { } }", "[MuxAllowAnonymous] on 'C.M()'", "[MuxAllowAnonymous] ", ""),
        new("MUX0056", "a class with the attribute of ASP.NET Core", AspNetCore + "[Microsoft.AspNetCore.Authorization.Authorize] public class [|C|] : IService { }", "[Authorize] on 'C'", "[Microsoft.AspNetCore.Authorization.Authorize] ", ""),
        new("MUX0056", "a method with what derives from it", AspNetCore + "public class AdultAttribute : Microsoft.AspNetCore.Authorization.AuthorizeAttribute { } public class C : IService { [Adult] public void [|M|]() { } }", "[Adult] on 'C.M()'", "[Adult] ", ""),
        new("MUX0056", "a contract with it", AspNetCore + "[MuxService(\"t\")] public interface IOther { [Microsoft.AspNetCore.Authorization.Authorize] ValueTask [|M|](CancellationToken token); }", "[Authorize] on 'IOther.M(System.Threading.CancellationToken)'", "[Microsoft.AspNetCore.Authorization.Authorize] ", ""),

        new("MUX0054", "both", "[ProtoContract] public class Item { [ProtoMember(1), ProtoIgnore] public int [|A|]; }", "'Item.A' has a number and [ProtoIgnore]", ", ProtoIgnore", ""),

        new("MUX0063", "an implementation", "public class C : IService { public ValueTask M([MuxKey] int [|key|], CancellationToken token) => default; } [MuxService(\"s\")] public interface IService { ValueTask M(int key, CancellationToken token); }", "[MuxKey] on 'key' is ignored", "[MuxKey] ", ""),
        new("MUX0063", "a constructor without the property", "[DataContract] public class Item([MuxKey] int [|key|]) { [DataMember(Order = 1)] public int Id { get; set; } = key; }", "[MuxKey] on 'key' is ignored", "[MuxKey] ", ""),

        new("MUX0094", "an implementation", "public class C : IService { [MuxMethod(OneWay = true)] public ValueTask [|M|](CancellationToken token) => default; } [MuxService(\"s\")] public interface IService { ValueTask M(CancellationToken token); }", "[MuxMethod] on 'C.M(System.Threading.CancellationToken)' is ignored", "[MuxMethod(OneWay = true)] ", ""),
        new("MUX0094", "an error of an implementation", "public class C : IService { [MuxError<int>(1)] ValueTask IService.[|M|](CancellationToken token) => default; } [MuxService(\"s\")] public interface IService { ValueTask M(CancellationToken token); }", "[MuxError] on", "[MuxError<int>(1)] ", ""),
    ];

    private static DiagnosticCase Date(string what, string statement, string says, string replace, string with) =>
        new("MUX0047", what, $"[assembly: MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)] {Dates} public class C {{ void M(Item item, Spot spot, IService service) {{ {statement}; }} }}", says, replace, with);

    private static DiagnosticCase Call(string what, string statement, string says, string replace, string with) =>
        new("MUX0049", what, Calls + $"public class C {{ void M(IService service) {{ {statement} }} }}", says, replace, with);

    private static DiagnosticCase Preset(string what, string members, string says, string replace, string with) =>
        new("MUX0050", what, $"[DataContract] public class Item {{ {members} }}", says, replace, with);
}
