namespace Mux;

/// <summary>Options of a <see cref="MuxGroup{TService}"/> or <see cref="MuxGroups{TKey, TService}"/>. They are read when it is created.</summary>
public sealed class MuxGroupOptions
{
    /// <summary>Gets or sets the name of the groups in metrics.</summary>
    /// <value>Up to 256 characters. Empty by default: the name of the contract, as <see cref="MuxServiceAttribute"/> gives it.</value>
    public string Name { get; set; } = string.Empty;

    /// <summary>Checks the options.</summary>
    /// <returns>Every invalid option; empty if all are valid.</returns>
    public IEnumerable<OptionFailure> Validate()
    {
        if (Name is null or { Length: > 256 }) yield return new OptionFailure(nameof(Name), "Expected a text of up to 256 characters, which may be empty.");
    }

    /// <summary>Gets valid options, or throws.</summary>
    /// <param name="options">The options; null for the defaults.</param>
    internal static MuxGroupOptions Checked(MuxGroupOptions? options)
    {
        options ??= new MuxGroupOptions();
        var failures = options.Validate().ToList();
        if (failures.Count > 0) throw new ArgumentException($"The options of the groups are not valid: {string.Join(' ', failures)}", nameof(options));
        return options;
    }
}
