using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>Reads services.</summary>
internal sealed class ServiceReader(NameTable names)
{
    private readonly List<ProtoMethod> _methods = [];

    /// <param name="bytes">The ServiceDescriptorProto.</param>
    /// <param name="package">Its package.</param>
    /// <param name="around">What holds in the file.</param>
    public ProtoService Read(ReadOnlySpan<byte> bytes, string package, Surroundings around)
    {
        var place = around.Place;
        var service = new ProtoService();
        var header = new WireReader(bytes, place);
        while (header.Read())
        {
            if (header.Field == 1) service.Name = header.Text();
        }

        service.FullName = names.Declare(package, service.Name, place);
        place = $"the service '{service.FullName}'";
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field == 2) service.Methods.Add(ReadMethod(reader.Content(), service.FullName, around.HasOptions));
            else if (reader.Field == 3) ReadOptions(reader.Content(), service, place, around.HasOptions);
        }

        _methods.AddRange(service.Methods);
        return service;
    }

    /// <summary>Finds the messages of all methods.</summary>
    public void Resolve()
    {
        foreach (var method in _methods)
        {
            var place = $"the method '{method.FullName}'";
            method.Request = names.Message(method.RequestName, place);
            method.Response = names.Message(method.ResponseName, place);
            method.RequestName = method.Request.FullName;
            method.ResponseName = method.Response.FullName;
        }
    }

    private static void ReadOptions(ReadOnlySpan<byte> bytes, ProtoService service, string place, bool hasOwn)
    {
        var options = new WireReader(bytes, place);
        while (options.Read())
        {
            if (options.Field == 33) service.IsDeprecated = options.Flag();
            if (!hasOwn || options.Field != OptionsReader.Extension) continue;
            var own = new WireReader(options.Content(), place);
            while (own.Read())
            {
                if (own.Field == 1) service.WireName = own.Text();
                else if (own.Field == 2) service.IsCallback = own.Flag();
                else if (own.Field == 3) service.HasExactFields = own.Flag();
            }
        }
    }

    private ProtoMethod ReadMethod(ReadOnlySpan<byte> bytes, string service, bool hasOwn)
    {
        var place = $"a method of '{service}'";
        names.CountMember(place);
        var method = new ProtoMethod();
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case 1: method.Name = reader.Text(); break;
                case 2: method.RequestName = reader.Text(); break;
                case 3: method.ResponseName = reader.Text(); break;
                case 4: OptionsReader.Read(reader.Content(), method, place, hasOwn); break;
                case 5: method.IsRequestStream = reader.Flag(); break;
                case 6: method.IsResponseStream = reader.Flag(); break;
            }
        }

        method.FullName = NameTable.Join(service, NameRules.CheckWord(method.Name, place));
        return method;
    }
}
