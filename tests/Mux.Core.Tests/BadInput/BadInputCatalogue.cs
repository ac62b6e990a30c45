namespace Mux.Core.Tests.BadInput;

/// <summary>All cases, by what they concern.</summary>
internal static class BadInputCatalogue
{
    public static IReadOnlyList<BadInputCase> All { get; } =
    [
        .. PrefaceCases.All, .. HelloCases.All, .. AuthCases.All, .. HeaderCases.All, .. RequestCases.All, .. AnswerCases.All, .. ControlCases.All, .. StreamCases.All, .. FragmentCases.All, .. MetadataCases.All,
    ];

    private static readonly Dictionary<string, BadInputCase> s_byName = All.ToDictionary(badInput => badInput.Name);

    public static BadInputCase Find(string name) => s_byName[name];
}
