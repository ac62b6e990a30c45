using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Nothing in it is accessible but what a user of the class needs.</summary>
[ProtoContract]
internal sealed class Secret
{
    [ProtoMember(2)]
    private int _attempts;

    [ProtoMember(3)]
    private readonly List<string> _roles = ["preset"];

    private Secret()
    {
    }

    [ProtoMember(1)]
    public string? Login { get; private set; }

    [ProtoMember(4)]
    public List<int> Badges { get; } = [];

    [ProtoMember(5)]
    private string? Hint { get; set; }

    [ProtoMember(6)]
    public required int Level { get; init; }

    [ProtoIgnore]
    public int Attempts => _attempts;

    [ProtoIgnore]
    public IReadOnlyList<string> Roles => _roles;

    public static Secret Create(string login, int attempts, string hint, int level) => new() { Login = login, _attempts = attempts, Hint = hint, Level = level };

    public string? TellHint() => Hint;
}
