namespace Mux.ProtocolCases.Cases;

/// <summary>The cases about the connection; those of <see cref="PayloadCases"/> are about reading messages.</summary>
internal static class BadInputCatalogue
{
    private static readonly Dictionary<string, BadInputCase> s_byName;

    static BadInputCatalogue()
    {
        All = For(SpecMethods.Echo);
        s_byName = All.Concat(PayloadCases.All).ToDictionary(badInput => badInput.Name, StringComparer.Ordinal);
    }

    public static IReadOnlyList<BadInputCase> All { get; }

    /// <summary>Gets the cases for another echo method.</summary>
    public static IReadOnlyList<BadInputCase> For(string echo) =>
    [
        .. PrefaceCases.All, .. HelloCases.All, .. AuthCases.All, .. HeaderCases.All, .. RequestCases.For(echo), .. AnswerCases.All, .. ControlCases.All,
            .. StreamCases.All, .. FragmentCases.All, .. MetadataCases.All,
    ];

    public static BadInputCase Find(string name) => s_byName[name];
}
