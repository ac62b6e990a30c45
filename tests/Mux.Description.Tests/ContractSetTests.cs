using Mux.Contracts;
using Mux.Description.Options;
using Mux.Description.Tests.Circles;
using Mux.Description.Tests.Contracts;
using Mux.Description.Tests.Google;
using Mux.Serialization.Oracles.Shapes;
using Mux.Tests.Contracts;

namespace Mux.Description.Tests;

/// <summary>What contracts of this program say of themselves.</summary>
public sealed class ContractSetTests
{
    private static readonly ContractSet s_store = ContractSet.Of<IStore>();

    private static ServiceType Store => s_store.FindService("test.Store-1")!;

    [Fact]
    public void The_authorization_of_a_server_takes_the_place_of_the_one_of_the_contract()
    {
        var plain = new ContractSetBuilder().Add<IStore>().Build();
        var sut = new ContractSetBuilder().Add<IStore>().Only(static (_, method) => method is "Find" or "Move")
            .Authorize(static (service, method) => service == "test.Store-1" && method == "Find" ? new MethodAuthorization(false, true, ["staff"], ["a,b", "c"]) : null).Build();
        var methods = sut.FindService("test.Store-1")!.Methods;
        Assert.Equal(["Find", "Move"], methods.Select(static method => method.Name));
        var rule = methods[0].Authorization!;
        Assert.Equal((false, true, "staff", "a,b; c"), (rule.AllowsAnonymous, rule.RequiresUser, string.Join("; ", rule.Policies), string.Join("; ", rule.Roles)));
        Assert.Null(methods[1].Authorization);
        Assert.NotNull(plain.FindService("test.Store-1")!.Methods.Single(static method => method.Name == "Move").Authorization);
    }

    [Fact]
    public void A_description_with_the_authorization_of_the_contracts_is_the_same()
    {
        var plain = new ContractSetBuilder().Add<IStore>().Add<IBooks>().Build();
        var declared = plain.Services.SelectMany(static service => service.Methods, static (service, method) => (service, method))
            .ToDictionary(static pair => $"{pair.service.Name}/{pair.method.Name}", static pair => pair.method.Authorization, StringComparer.Ordinal);
        var sut = new ContractSetBuilder().Add<IStore>().Add<IBooks>().Authorize((service, method) => declared[$"{service}/{method}"]).Build();
        Assert.Equal(plain.ToFileDescriptorSet(), sut.ToFileDescriptorSet());
    }

    [Fact]
    public void Options_that_protobuf_has_no_word_for_are_read()
    {
        var find = Method("Find");
        Assert.Equal(TimeSpan.FromMilliseconds(2500), find.Timeout);
        Assert.Equal((4096, MuxCallPriority.Low, true), (find.MaxMessageBytes, find.Priority, find.IsIdempotent));
        Assert.Equal("Mux.Description.Tests.Contracts.Gone", find.Details[7]!.FullName);
        Assert.NotEqual(0u, find.RequestFingerprint);
        Assert.True(Method("Note").IsOneWay);

        var move = Method("Move");
        Assert.False(move.IsIdempotent);
        Assert.Equal(["adult"], move.Authorization!.Policies);
        Assert.Equal(["clerk, manager"], move.Authorization.Roles);
        Assert.True(move.Authorization.RequiresUser);
        Assert.Equal("raw", Method("Load").Format);
        Assert.Equal("mux.Opaque", Method("Load").Request.FullName);
    }

    [Fact]
    public void Arguments_are_fields_of_a_message_of_the_method()
    {
        Assert.Equal(["1 id"], Method("Find").Request.Fields.Select(static field => field.ToString()));
        var move = Method("Move");
        Assert.Equal(["1 from", "2 item", "3 count"], move.Request.Fields.Select(static field => field.ToString()));
        Assert.Equal([true, true, false], move.Request.Fields.Select(static field => field.HasPresence));
        Assert.Equal("test.Store_1_MoveResponse", move.Response.FullName);
        Assert.Equal("google.protobuf.Empty", Method("Rest").Request.FullName);
    }

    [Fact]
    public void Streams_have_the_direction_of_the_method()
    {
        Assert.Equal((false, true), (Method("Watch").IsRequestStream, Method("Watch").IsResponseStream));
        var pack = Method("Pack");
        Assert.Equal((true, true, "mux.RawBytes"), (pack.IsRequestStream, pack.IsResponseStream, pack.Request.FullName));
        Assert.Equal("1 name", Assert.Single(pack.Arguments!.Fields).ToString());
    }

    [Fact]
    public void Callbacks_are_services_of_the_caller()
    {
        var callback = Assert.Single(Method("Import").Callbacks);
        Assert.True(callback.IsCallback);
        Assert.Equal(["Report", "Ask"], callback.Methods.Select(static method => method.Name));
        Assert.True(callback.Methods[0].IsOneWay);
        Assert.Equal("Mux.Description.Tests.Contracts.Item", callback.Methods[1].Request.FullName);
    }

    [Fact]
    public void Members_are_fields_with_the_presence_that_their_declaration_has()
    {
        var item = s_store.FindMessage("Mux.Description.Tests.Contracts.Item")!;
        Assert.Equal(["id", "name", "last_seen_by", "rank", "shade", "sizes", "parts", "made"], item.Fields.Select(static field => field.Name));
        Assert.Equal([false, false, true, true, false, false, false, true], item.Fields.Select(static field => field.HasPresence));
        Assert.Equal("lastSeenBy", item.Find(3)!.JsonName);
        Assert.Same(item.Find(3), item.Find("lastSeenBy"));
        Assert.Same(item.Find(3), item.Find("last_seen_by"));
        Assert.True(item.Find("parts")!.IsMap);
        Assert.Same(item, item.Find("parts")!.Message!.Find("value")!.Message);
        Assert.False(item.Find("sizes")!.IsPacked);
        Assert.Equal("bcl.DateTime", item.Find("made")!.Message!.FullName);
        Assert.Null(item.Find("rank")!.Oneof);
    }

    [Fact]
    public void An_enum_begins_with_zero_and_its_values_with_its_name()
    {
        var shade = s_store.FindEnum("Mux.Description.Tests.Contracts.Shade")!;
        Assert.Equal(["Shade_0=0", "Shade_Dark=3", "Shade_Pale=4", "Shade_Black=3"], shade.Values.Select(static value => $"{value.Key}={value.Value}"));
    }

    [Fact]
    public void Packages_that_name_each_other_are_files_without_a_circle()
    {
        var set = ContractSet.Of<ICircles>();
        Assert.NotNull(set.FindMessage("Mux.Description.Tests.Circles.Left_Person"));
        Assert.NotNull(set.FindMessage("Mux.Description.Tests.Circles.Right_House"));
        Assert.NotNull(set.FindMessage("Mux.Description.Tests.Circles.Left.Key"));
        _ = GoogleFiles.Of(set);
    }

    [Fact]
    public void Several_contracts_share_their_messages()
    {
        var set = new ContractSetBuilder().Add<IForms>().Add<IDesk>().Add<IGuarded>().Add<IForms>().Build();
        Assert.Equal(["test.Desk", "test.Forms", "test.Guarded"], set.Services.Where(static service => !service.IsCallback).Select(static service => service.Name));
        _ = GoogleFiles.Of(set);
    }

    [Fact]
    public void The_options_are_those_that_the_file_of_the_package_declares()
    {
        var service = GoogleFiles.Of(s_store).Service("test.Store_1");
        Assert.Equal("test.Store-1", service.GetOptions().GetExtension(OptionsExtensions.Service).Name);
        var options = service.FindMethodByName("Find").GetOptions().GetExtension(OptionsExtensions.Method);
        Assert.Equal((2500, 4096), (options.TimeoutMilliseconds, options.MaxMessageBytes));
        Assert.Equal(MethodOptions.Types.Priority.Low, options.Priority);
        Assert.Equal(Method("Find").RequestFingerprint, options.RequestFingerprint);
        var authorization = service.FindMethodByName("Move").GetOptions().GetExtension(OptionsExtensions.Method).Authorization;
        Assert.Equal((true, "adult", "clerk, manager"), (authorization.RequiresUser, authorization.Policies.Single(), authorization.Roles.Single()));
        Assert.Equal("test.Store_1_Mux_Description_Tests_Contracts_IProgress", service.FindMethodByName("Import").GetOptions().GetExtension(OptionsExtensions.Method).Callbacks.Single());
    }

    [Fact]
    public void Equal_contracts_have_equal_bytes()
    {
        var one = new ContractSetBuilder().Add<IStore>().Add<IForms>().Build().ToFileDescriptorSet();
        var other = new ContractSetBuilder().Add<IForms>().Add<IStore>().Build().ToFileDescriptorSet();
        Assert.Equal(one, other);
        Assert.Equal(one, ContractSet.Read(one).ToFileDescriptorSet());
    }

    [Fact]
    public async Task Protoc_reads_them()
    {
        Protoc.SkipUnlessThere();
        foreach (var set in new[] { s_store, ContractSet.Of<ICircles>(), ContractSet.Of<IShapes>(), new ContractSetBuilder().Add<IForms>().Add<IGuarded>().Build() })
            Assert.Equal(string.Empty, await Protoc.Compile(GoogleFiles.Of(set).Set, TestContext.Current.CancellationToken));
    }

    private static MethodType Method(string name) => Store.Methods.Single(method => method.Name == name);
}
