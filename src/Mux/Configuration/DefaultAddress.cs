namespace Mux.Configuration;

/// <summary>Tells whether configuration or code has set the address of a host's server, or of its client without a name.</summary>
internal sealed class DefaultAddress
{
    // A string object of its own: an equal address that configuration or code has set is another object.
    private readonly string _value = new(new MuxServerOptions().Address);

    /// <summary>Sets the address that stays if nothing sets another one.</summary>
    public void ApplyTo(MuxOptions options) => options.Address = _value;

    /// <summary>True if nothing has set the address.</summary>
    public bool IsIn(MuxOptions options) => ReferenceEquals(options.Address, _value);
}
